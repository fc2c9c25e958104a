import assert from 'node:assert/strict';
import test from 'node:test';
import { EditorState, undo } from '../../lab_ui/vendor/codemirror.js';
import { LONG, replaced, shared, takenOver, undoable } from '../../lab_ui/js/editor/replacing.js';

const editor = doc => EditorState.create({ doc, extensions: [EditorState.lineSeparator.of('\n'), undoable()] });
const typed = (state, insert) =>
  state.update({
    changes: { from: state.doc.length, insert },
    selection: { anchor: state.doc.length + insert.length },
    userEvent: 'input.type',
  }).state;
function undone(state) {
  let after = state;
  undo({
    state,
    dispatch: transaction => {
      after = transaction.state;
    },
  });
  return after;
}

test('a text that is put in from outside is one step back', () => {
  const { transaction, anew, fromTop } = replaced(editor('old text'), 'new');
  assert.deepEqual([transaction.state.sliceDoc(), anew, fromTop], ['new', false, true]);
  assert.equal(undone(transaction.state).sliceDoc(), 'old text');
});

test('undo takes back what was done in its own editor, and the caret stays', () => {
  const mine = typed(editor('one two'), ' three');
  const inTheOther = 'zero one two three';
  const { transaction, fromTop } = takenOver(mine, inTheOther);
  assert.deepEqual(
    [transaction.state.sliceDoc(), transaction.state.selection.main.head, fromTop],
    [inTheOther, inTheOther.length, false],
  );
  assert.equal(undone(transaction.state).sliceDoc(), 'zero one two', 'what was typed elsewhere stays');
  assert.equal(undone(undone(transaction.state)).sliceDoc(), 'zero one two');
  assert.equal(takenOver(mine, 'one two three'), null);
});

test('another text than the one that was edited is shown from its start', () => {
  const state = typed(editor('one two'), ' three');
  const { transaction, fromTop } = takenOver(state, '日本語 of another file');
  assert.deepEqual([transaction.state.selection.main.head, fromTop], [0, true]);
  assert.equal(undone(transaction.state).sliceDoc(), '日本語 of another file');
});

test('any text is taken over exactly', () => {
  const letters = ['a', 'b', '\n', '😀', '\ud83d', '\ude00', '日'];
  let seed = 7;
  const next = most => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % most;
  };
  const text = () => Array.from({ length: next(12) }, () => letters[next(letters.length)]).join('');
  for (let n = 0; n < 2000; n++) {
    const from = text();
    const to = text();
    const taken = takenOver(editor(from), to);
    assert.equal(taken ? taken.transaction.state.sliceDoc() : from, to);
  }
});

test('a long text is drawn anew: an update would draw all of its lines in an editor that is out of sight', () => {
  const long = 'line\n'.repeat(LONG / 5 + 1);
  const state = editor('short');
  assert.equal(replaced(state, long).anew, true);
  assert.equal(takenOver(state, long).anew, true);
  assert.equal(shared(state, editor(long).doc).anew, true);
  assert.equal(takenOver(editor(long), `${long}and more`).anew, false);
  assert.equal(shared(editor(long), editor(long).doc), null);
});

test('the history keeps one long text at most', () => {
  let state = editor('first');
  for (let n = 0; n < 5; n++) state = replaced(state, `${n}${'x'.repeat(LONG)}`).transaction.state;
  assert.equal(undone(state).sliceDoc(0, 1), '3');
  assert.equal(undone(undone(state)).sliceDoc(0, 1), '3');
});
