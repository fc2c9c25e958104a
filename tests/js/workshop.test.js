/** The Workshop's recipe and its words; the screen: tests/browser/test_workshop.py. */
import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft } from '../../lab_ui/js/screens/workshop/draft.js';
import { EditForm } from '../../lab_ui/js/screens/workshop/edit_form.js';
import { Recipe } from '../../lab_ui/js/screens/workshop/recipe.js';
import { effectWords, givenWords, progressWords } from '../../lab_ui/js/screens/workshop/edit_words.js';

const SHRINK = {
  name: 'Shrink',
  words: '',
  options: { size: { label: 'Tokens in all' }, keep_ids: { label: 'Keep IDs' } },
};
const kinds = recipe => recipe.edits.map(edit => edit.kind);

test('every change of a recipe can be undone and redone', () => {
  const recipe = new Recipe();
  recipe.put(0, { kind: 'greedy' });
  recipe.put(1, { kind: 'shrink', size: 300 });
  recipe.put(2, { kind: 'renumber' });
  recipe.move(2, 0);
  assert.deepEqual(kinds(recipe), ['renumber', 'greedy', 'shrink']);
  recipe.remove(1);
  assert.deepEqual(kinds(recipe), ['renumber', 'shrink']);
  recipe.undo();
  recipe.undo();
  assert.deepEqual(kinds(recipe), ['greedy', 'shrink', 'renumber']);
  recipe.redo();
  assert.deepEqual(kinds(recipe), ['renumber', 'greedy', 'shrink']);
  recipe.put(0, { kind: 'lower_case' });
  assert.equal(recipe.canRedo, false, 'another change ends what could be redone');
  while (recipe.canUndo) recipe.undo();
  assert.deepEqual(recipe.edits, []);
  recipe.undo();
  assert.deepEqual(recipe.edits, []);
});

test('an edit that is off says so, and one that is on says nothing', () => {
  const recipe = new Recipe();
  recipe.put(0, { kind: 'shrink', size: 300 });
  recipe.turn(0, false);
  assert.deepEqual(recipe.edits, [{ kind: 'shrink', size: 300, on: false }]);
  recipe.turn(0, true);
  assert.deepEqual(recipe.edits, [{ kind: 'shrink', size: 300 }]);
});

test('IDs are kept where edits moved them, and tokens by the last edit that trims', () => {
  const recipe = new Recipe();
  recipe.replace([
    { kind: 'shrink', size: 9, keep_ids: false },
    { kind: 'trim', text: 'a', keep: ['x'] },
    { kind: 'renumber' },
  ]);
  assert.equal(recipe.movesIds, true);
  recipe.keepIds();
  assert.equal(recipe.movesIds, false);
  assert.deepEqual(recipe.edits[0], { kind: 'shrink', size: 9 });
  recipe.keepTokens(['x', 'y']);
  assert.deepEqual(recipe.edits[1], { kind: 'trim', text: 'a', keep: ['x', 'y'] });
  assert.equal(recipe.canKeepTokens, false); // the first edit may have removed them
  recipe.turn(0, false);
  assert.equal(recipe.canKeepTokens, true);
  recipe.turn(1, false);
  assert.equal(recipe.trims, -1);
  recipe.undo();
  recipe.undo();
  recipe.undo();
  recipe.undo();
  assert.equal(recipe.movesIds, true);
});

test('a line says what an edit was given', () => {
  assert.equal(givenWords({ kind: 'add_words', words: ['a', 'b', 'c', 'd', 'e'] }), 'a, b, c and 2 more');
  assert.equal(
    givenWords({ kind: 'shrink', on: false, size: 32000, keep_ids: false }, SHRINK),
    'Tokens in all: 32\u202f000 · Keep IDs: no',
  );
  assert.equal(givenWords({ kind: 'normalizer', normalizers: ['NFC', { type: 'Replace' }] }), 'NFC, Replace');
});

test('the effect of an edit is never 0 for what was not measured', () => {
  const effect = { kind: 'trim', on: true, added: 0, removed: 1200, moved: 1, vocab_size: 32000 };
  assert.equal(effectWords(effect), '−1\u202f200  1 ID move · 32\u202f000 tokens');
  assert.equal(effectWords({ ...effect, on: false }), 'off: not measured');
  const renamed = { ...effect, kind: 'rename_token', removed: 0, moved: 0 };
  assert.equal(effectWords(renamed), '1 token renamed · 32\u202f000 tokens');
  assert.equal(effectWords(undefined), 'not measured');
  assert.equal(effectWords({ ...effect, removed: 0, moved: 0 }), 'no token changed');
});

test('what is under way says the edit, how far it is, and how it ends', () => {
  const reading = { edit: 2, done_bytes: 250, total_bytes: 1000 };
  assert.match(progressWords(reading, 'Trim'), /^Edit 2, Trim, 25\u202f%….*Esc to stop$/);
  assert.match(progressWords({ edit: null, done_bytes: 5, total_bytes: null }), /^Measuring….*before/);
});

/** A backend whose answers are given by the test. */
function faked() {
  const asked = [];
  const ask = (...given) =>
    new Promise((resolve, reject) => {
      const signal = given.at(-1);
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      asked.push({ given, resolve, reject });
    });
  return { asked, client: { tryEdits: ask, proveEdits: ask, measureEdits: ask, progressOf: async () => null } };
}

test('a draft keeps its figures until there are new ones, and loses its proofs at once', async () => {
  const { asked, client } = faked();
  const draft = new Draft(() => {}, client);
  Object.assign(draft, { base: 'gpt2', edits: [{ kind: 'greedy' }], done: { draft: 'old', problem: null } });
  draft.proofs = [{ name: 'merges', passed: true, message: '', examples: [] }];
  const renewed = draft.renew('text');
  assert.deepEqual([draft.done.draft, draft.proofs, draft.isBusy], ['old', [], true]);
  asked[0].resolve({ draft: 'new', problem: { number: 1 } });
  await renewed;
  assert.deepEqual([draft.done.draft, draft.applied, draft.isBusy], ['new', [], false]);
});

test('a draft that is stopped takes no answer, and one that fails is forgotten', async () => {
  const { asked, client } = faked();
  const draft = new Draft(() => {}, client);
  const stopped = draft.renew('');
  assert.equal(draft.stop(), true);
  assert.equal(await stopped, null);
  assert.equal(draft.stop(), false);
  draft.done = { draft: 'old', problem: null };
  const failed = draft.renew('');
  asked[1].reject(new Error('lost'));
  await assert.rejects(failed, /lost/);
  assert.equal(draft.done, null);
});

test('the dialog names what an option is where it is left out', () => {
  const form = new EditForm();
  document.body.replaceChildren(form);
  const option = { label: 'Flag', type: 'flag', needed: false, usual: true };
  form.open(
    { name: 'Trim', words: '', options: { one: option, two: { ...option, usual: null } } },
    { kind: 'trim' },
    0,
  );
  const offered = [...form.querySelectorAll('select')].map(list => [...list.children].map(each => each.textContent));
  assert.deepEqual(offered, [
    ['Yes, as usual', 'No'],
    ['As usual', 'Yes', 'No'],
  ]);
});

/** @param {Object<string, string>} types */
const optionsOf = types =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { label: name, type, needed: false, usual: null }]),
  );

/**
 * What the dialog makes of an edit.
 * @param {Object<string, string>} types of options @param {Object<string, any>} edit
 * @param {Object<string, string>} [typed] `…`: what was there
 */
function applied(types, edit, typed = {}) {
  const form = new EditForm();
  form.choices.corpus = [{ id: 'udhr', name: 'UDHR' }];
  document.body.replaceChildren(form);
  let found;
  form.addEventListener('edit', event => (found = /** @type {any} */ (event).detail.edit));
  form.open({ name: 'Remove', words: '', options: optionsOf(types) }, { kind: 'remove', ...edit }, 0);
  for (const [name, value] of Object.entries(typed)) {
    const control = /** @type {HTMLInputElement} */ (form.querySelector(`#edit-${name}`));
    control.value = value.replace('…', control.value);
  }
  /** @type {HTMLElement} */ (form.querySelector('[data-role=apply-edit]')).click();
  const { kind: _, ...given } = /** @type {any} */ (found);
  return given;
}

test('an edit that is opened and applied is the edit that it was', () => {
  const options = { tokens: 'tokens', token: 'token', to: 'text', text: 'text', corpus: 'texts', size: 'count' };
  for (const edit of [
    { tokens: [50, '50', '#50', '"50"', 'a\nb', ' ', '\r', '"\\n"', '{}', '{"a": 1}', '##s', ' the'] },
    { token: 50, to: '#50' },
    { token: '#50', to: 'a\nb' },
    { token: '50', text: 'first line\nsecond line\n' },
    { corpus: ['udhr', '/data/notes.txt'], size: 300 },
    { corpus: ['/data/notes.txt'], on: false },
  ])
    assert.deepEqual(applied(options, edit), edit);
});

test('what stands in a list stays as it is where a line is added', () => {
  const tokens = [50, '50', '#50', '"50"', 'a\nb', ' ', '\r', '"\\n"', '{}', '{"a": 1}', '##s', ' the', '"'];
  assert.deepEqual(applied({ tokens: 'tokens' }, { tokens }, { tokens: '…\n#9' }), { tokens: [...tokens, 9] });
  assert.deepEqual(applied({ token: 'token' }, { token: 5 }, { token: '…0' }), { token: 50 });
});

test('an ID is typed with a number sign, and everything else is a text', () => {
  const options = { tokens: 'tokens', words: 'texts', token: 'token' };
  const typed = { tokens: '#50\n50\n"#50"\n"quoted"\n\n##s', words: '#50\n{}', token: '#7' };
  assert.deepEqual(applied(options, { tokens: ['x', 1], token: 3 }, typed), {
    tokens: [50, '50', '#50', '"quoted"', '##s'],
    words: ['#50', '{}'],
    token: 7,
  });
  assert.equal(givenWords({ kind: 'remove', tokens: [50, '50'] }), '#50, 50');
  const blocks = { normalizers: ['NFC', { type: 'Replace', content: 'a\nb' }] };
  assert.deepEqual(applied({ normalizers: 'blocks' }, blocks, {}), blocks);
});

test('an option that is empty is left as usual', () => {
  assert.deepEqual(applied({ corpus: 'texts', text: 'text' }, {}), {});
  assert.deepEqual(applied({ words: 'texts' }, { words: ['a'] }, { words: '' }), {});
});
