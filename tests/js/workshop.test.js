/** The Workshop's recipe and its words; the screen: tests/browser/test_workshop.py. */
import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditForm } from '../../lab_ui/js/screens/workshop/edit_form.js';
import { Recipe } from '../../lab_ui/js/screens/workshop/recipe.js';
import { KINDS, effectWords, givenWords, labelOf } from '../../lab_ui/js/screens/workshop/edit_words.js';

const kinds = recipe => recipe.edits.map(edit => edit.kind);

test('every change of a recipe can be undone and redone', () => {
  const recipe = new Recipe();
  recipe.add({ kind: 'greedy' });
  recipe.add({ kind: 'shrink', size: 300 });
  recipe.add({ kind: 'renumber' });
  recipe.move(2, 0);
  assert.deepEqual(kinds(recipe), ['renumber', 'greedy', 'shrink']);
  recipe.remove(1);
  assert.deepEqual(kinds(recipe), ['renumber', 'shrink']);
  recipe.undo();
  recipe.undo();
  assert.deepEqual(kinds(recipe), ['greedy', 'shrink', 'renumber']);
  recipe.redo();
  assert.deepEqual(kinds(recipe), ['renumber', 'greedy', 'shrink']);
  recipe.change(0, { kind: 'lower_case' });
  assert.equal(recipe.canRedo, false, 'another change ends what could be redone');
  while (recipe.canUndo) recipe.undo();
  assert.deepEqual(recipe.edits, []);
  recipe.undo();
  assert.deepEqual(recipe.edits, []);
});

test('an edit that is off says so, and one that is on says nothing', () => {
  const recipe = new Recipe();
  recipe.add({ kind: 'shrink', size: 300 });
  recipe.turn(0, false);
  assert.deepEqual(recipe.edits, [{ kind: 'shrink', size: 300, on: false }]);
  recipe.turn(0, true);
  assert.deepEqual(recipe.edits, [{ kind: 'shrink', size: 300 }]);
});

test('a line says what an edit was given', () => {
  assert.equal(givenWords({ kind: 'add_words', words: ['a', 'b', 'c', 'd', 'e'] }), 'a, b, c and 2 more');
  assert.equal(
    givenWords({ kind: 'shrink', on: false, size: 32000, keep_ids: false }),
    'Tokens in all: 32\u202f000 · Keep IDs: no',
  );
  assert.equal(givenWords({ kind: 'normalizer', normalizers: ['NFC', { type: 'Replace' }] }), 'NFC, Replace');
});

test('the effect of an edit is never 0 for what was not measured', () => {
  const effect = { kind: 'trim', on: true, added: 0, removed: 1200, moved: 1, vocab_size: 32000 };
  assert.equal(effectWords(effect), '−1\u202f200  1 ID move · 32\u202f000 tokens');
  assert.equal(effectWords({ ...effect, on: false }), 'off: not measured');
  assert.equal(effectWords(undefined), 'not measured');
  assert.equal(effectWords({ ...effect, removed: 0, moved: 0 }), 'no token changed');
});

test('every kind has a name, and options have labels', () => {
  for (const [name, words] of Object.values(KINDS)) assert.ok(name && words.endsWith('.'));
  assert.equal(labelOf('continue_training', 'tokens'), 'New tokens');
  assert.equal(labelOf('remove', 'tokens'), 'Tokens, one per line');
});

/**
 * What the dialog makes of an edit.
 * @param {Object<string, string>} options @param {Object<string, any>} edit
 * @param {Object<string, string>} [typed] `…`: what was there
 */
function applied(options, edit, typed = {}) {
  const form = new EditForm();
  form.choices.corpus = [{ id: 'udhr', name: 'UDHR' }];
  document.body.replaceChildren(form);
  let found;
  form.addEventListener('edit', event => (found = /** @type {any} */ (event).detail));
  form.open(options, { kind: 'remove', ...edit });
  for (const [name, value] of Object.entries(typed)) {
    const control = /** @type {HTMLInputElement} */ (form.querySelector(`#edit-${name}`));
    control.value = value.replace('…', control.value);
  }
  /** @type {HTMLElement} */ (form.querySelector('[data-role=apply-edit]')).click();
  const { kind: _, ...given } = /** @type {any} */ (found);
  return given;
}

test('an edit that is opened and applied is the edit that it was', () => {
  const options = { tokens: 'tokens!', token: 'token!', to: 'text!', text: 'text', corpus: 'texts', size: 'count' };
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
  assert.deepEqual(applied({ tokens: 'tokens!' }, { tokens }, { tokens: '…\n#9' }), { tokens: [...tokens, 9] });
  assert.deepEqual(applied({ token: 'token!' }, { token: 5 }, { token: '…0' }), { token: 50 });
});

test('an ID is typed with a number sign, and everything else is a text', () => {
  const options = { tokens: 'tokens!', words: 'texts', token: 'token!' };
  const typed = { tokens: '#50\n50\n"#50"\n"quoted"\n\n##s', words: '#50\n{}', token: '#7' };
  assert.deepEqual(applied(options, { tokens: ['x', 1], token: 3 }, typed), {
    tokens: [50, '50', '#50', '"quoted"', '##s'],
    words: ['#50', '{}'],
    token: 7,
  });
  assert.equal(givenWords({ kind: 'remove', tokens: [50, '50'] }), '#50, 50');
  const blocks = { normalizers: ['NFC', { type: 'Replace', content: 'a\nb' }] };
  assert.deepEqual(applied({ normalizers: 'blocks!' }, blocks, {}), blocks);
});

test('an option that is empty is left as usual', () => {
  assert.deepEqual(applied({ corpus: 'texts', text: 'text' }, {}), {});
  assert.deepEqual(applied({ words: 'texts!' }, { words: ['a'] }, { words: '' }), {});
});
