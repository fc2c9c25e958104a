/** Enter in the field of the concordance means what is typed, however fast it is pressed. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { ConcordanceView } = await import('../../lab_ui/js/screens/corpus/concordance_view.js');

const settled = () => new Promise(resolve => setImmediate(resolve));
const rowOf = (id, text) => ({ id, text, token: text, bytes: '', count: 1, unknown: false, special: false });

/** A view that shows no search yet, whose questions for tokens the test answers. */
function shownView() {
  const view = new ConcordanceView();
  const asked = [];
  const found = [];
  const lead = document.createElement('span');
  view.start({ fail: assert.fail, track: work => work }, lead);
  document.body.replaceChildren(view);
  view.addEventListener('findtoken', event => found.push(/** @type {CustomEvent} */ (event).detail));
  view.show(
    /** @type {any} */ ({
      analysis: { id: 1, corpus: { id: 'c', sampled: null } },
      chosen: { tokenizer: 'gpt2', frequencies: [] },
      tokenizers: [{ id: 'gpt2', letter: 'A', name: 'GPT-2' }],
      state: { id: null, word: '' },
      rows: (_offset, _limit, typed) =>
        new Promise(resolve => asked.push({ typed, answer: rows => resolve({ rows }) })),
    }),
  );
  const field = view.querySelector('input');
  const type = text => {
    field.value = text;
    field.dispatchEvent(new Event('input'));
  };
  const enter = () => view.querySelector('form').dispatchEvent(new Event('submit', { cancelable: true }));
  return { type, enter, asked, found };
}

test('Enter waits for the tokens of what is typed', async () => {
  const { type, enter, asked, found } = shownView();
  asked.at(-1).answer([rowOf(4, '%')]);
  await settled();
  type('wiki');
  enter();
  await settled();
  assert.deepEqual(found, [], 'the choices are still those from before');
  asked.at(-1).answer([rowOf(7, 'wiki')]);
  await settled();
  assert.deepEqual([asked.at(-1).typed, found], ['wiki', [7]]);
});

test('Enter does nothing if something else was typed meanwhile', async () => {
  const { type, enter, asked, found } = shownView();
  type('wiki');
  const first = asked.at(-1);
  enter();
  type('wikipedia');
  first.answer([rowOf(7, 'wiki')]);
  asked.at(-1).answer([rowOf(8, 'wikipedia')]);
  await settled();
  assert.deepEqual(found, []);
});
