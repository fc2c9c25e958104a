/** The form of the next training: which options it has for an algorithm, and where it says what is wrong. */
import assert from 'node:assert/strict';
import test from 'node:test';
import './page.js';

const { SetupForm } = await import('../../lab_ui/js/screens/train/setup_form.js');
const { SETTINGS } = await import('../../lab_ui/js/screens/train/settings.js');
const { problemsOf } = await import('../../lab_ui/js/screens/train/train_setup.js');

const preset = (name, options) => ({ name, title: name, words: '', options: { special_tokens: [], ...options } });
const OFFERED = /** @type {any} */ ({
  presets: [
    preset('gpt2', { algorithm: 'bpe', vocab_size: 8192, alphabet: 'bytes' }),
    preset('llama', { algorithm: 'bpe', vocab_size: 8192, alphabet: 'characters' }),
    preset('bert', { algorithm: 'wordpiece', vocab_size: 4096, alphabet: 'characters' }),
    preset('t5', { algorithm: 'unigram', vocab_size: 8000, alphabet: 'characters' }),
    preset('words', { algorithm: 'wordlevel', vocab_size: 1000 }),
    preset('characters', { algorithm: 'character', vocab_size: 1000, alphabet: 'characters' }),
  ],
  practice: [{ name: 'topics', title: 'Python documentation', bytes: 500_000 }],
  corpora: [],
});
const FIRST = /** @type {any} */ (
  Object.fromEntries(Object.entries(SETTINGS).map(([name, each]) => [name, each.default]))
);

/** The form, whose owner takes what it reports. */
function opened() {
  const form = new SetupForm();
  document.body.replaceChildren(form);
  let values = FIRST;
  let started = 0;
  const show = () =>
    form.show({ offered: OFFERED, values, text: '', problems: problemsOf(OFFERED, values, ''), isBusy: false });
  form.addEventListener('setupchange', event => {
    values = { ...values, .../** @type {CustomEvent} */ (event).detail };
    show();
  });
  form.addEventListener('starttraining', () => started++);
  show();
  const role = name => /** @type {any} */ (form.querySelector(`[data-role=train-${name}]`));
  const fold = /** @type {any} */ (form.querySelector('.train-details'));
  return {
    form,
    role,
    start: /** @type {any} */ (form.querySelector('[data-role=start-training]')),
    problem: name => /** @type {any} */ (form.querySelector(`#train-${name}-problem`)),
    values: () => values,
    started: () => started,
    choose: preset => {
      values = { ...values, preset, size: 0, details: {} };
      show();
    },
    fold: isOpen => {
      fold.open = isOpen;
      fold.dispatchEvent(new Event('toggle'));
    },
    type: (name, words) => {
      role(name).value = words;
      role(name).dispatchEvent(new Event('input'));
    },
    details: () =>
      new Set(
        [...form.querySelectorAll('train-detail-fields [data-role]')].map(each =>
          /** @type {any} */ (each).dataset.role.replace('train-', ''),
        ),
      ),
  };
}

test('Details has the options of the algorithm', () => {
  const { choose, details, role } = opened();
  const common = ['min_frequency', 'special_tokens', 'normalizer'];
  const alphabet = ['limit_alphabet', 'character_coverage'];
  const superwords = ['superwords_from', 'superword_words', 'superword_digits', 'superword_marks'];
  const bytes = ['whole_characters', ...superwords];
  const unigram = ['max_token_length', 'byte_fallback', 'variant', 'shrinking_factor', 'em_iterations'];
  for (const [name, ...expected] of [
    ['gpt2', ...common, ...bytes, 'max_token_length'],
    ['llama', ...common, ...alphabet, 'max_token_length', 'byte_fallback'],
    ['bert', ...common, ...alphabet, 'max_token_length', 'score'],
    ['words', ...common],
    ['characters', ...common, ...alphabet],
    ['t5', ...common, ...alphabet, ...unigram],
  ]) {
    choose(name);
    assert.deepEqual(details(), new Set(expected), name);
  }
  assert.equal(role('max_token_length').placeholder, '16', 'an empty field says what counts');
});

test('a wrong detail is said at its field, and where it is folded', () => {
  const { choose, fold, type, problem, role, start, form } = opened();
  choose('t5');
  fold(true);
  for (const wrong of ['1.5', '0,77', '-1']) {
    type('shrinking_factor', wrong);
    const words = problem('shrinking_factor').textContent;
    assert.ok(words.includes(wrong) && words.includes('Write a number above 0 and at most 0.999.'), words);
    assert.equal(role('shrinking_factor').getAttribute('aria-invalid'), 'true');
    assert.ok(start.disabled && problem('details').hidden);
  }
  fold(false);
  assert.match(problem('details').textContent, /Shrinking factor cannot be -1/);
  assert.equal(form.querySelector('.train-basis')?.textContent, 'Before you train, correct “Details”.');
  fold(true);
  type('shrinking_factor', '0.77');
  assert.ok(problem('shrinking_factor').hidden && !start.disabled);
});

test('a wrong size stays in its field until the preset or the size is another', () => {
  const { type, role, problem, choose, start, values } = opened();
  type('size', '0.5');
  choose('gpt2');
  assert.deepEqual([role('size').value, start.disabled, values().size], ['0.5', true, 0]);
  assert.match(problem('size').textContent, /whole number/);
  choose('bert');
  assert.deepEqual([role('size').value, problem('size').hidden, start.disabled], ['4096', true, false]);
  type('size', '');
  assert.match(problem('size').textContent, /whole number/);
});

test('the form is sent once it is right', () => {
  const { form, started } = opened();
  form.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
  assert.equal(started(), 1);
});
