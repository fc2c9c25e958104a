/**
 * Text that comes into an editor from outside, as editor states. Pure functions: they need no page.
 */
import { Compartment, Transaction, history } from '../../vendor/codemirror.js';

/** UTF-16 units. The history keeps at most one text that is longer, and an editor that takes more in is drawn anew. */
export const LONG = 200_000;

const steps = new Compartment();

/** The extension that keeps the history of an editor. */
export const undoable = () => steps.of(history());

/**
 * @typedef {{transaction: import('../../vendor/codemirror.js').Transaction, anew: boolean, fromTop: boolean}} Replacing
 *   `anew`: the view has to be given the new state, because it is too much for an update: an editor that is out of
 *   sight maps the lines it has drawn through the change and then draws all lines of what came in. `fromTop`: it is
 *   another text.
 */

/**
 * Puts another text in the place of the whole text, as one step of the history.
 * @param {import('../../vendor/codemirror.js').EditorState} state
 * @param {string} text
 * @returns {Replacing}
 */
export function replaced(state, text) {
  const isLong = state.doc.length > LONG;
  const before = isLong ? withoutHistory(state) : state;
  const transaction = before.update({
    changes: { from: 0, to: state.doc.length, insert: text },
    selection: { anchor: 0 },
    scrollIntoView: true,
  });
  return { transaction, anew: isLong || text.length > LONG, fromTop: true };
}

/**
 * Takes over the text of another editor. Only what differs is replaced, so that the caret stays in its place. It is no
 * step of the history: undo takes back what was done in this editor.
 * @param {import('../../vendor/codemirror.js').EditorState} state
 * @param {string} text
 * @returns {Replacing|null} null: the text is the same
 */
export function takenOver(state, text) {
  const change = difference(state.sliceDoc(), text);
  if (!change) return null;
  // less than half is the same: it is another text
  const fromTop = 2 * (change.from + state.doc.length - change.to) < state.doc.length;
  const spec = fromTop
    ? { changes: { from: 0, to: state.doc.length, insert: text }, selection: { anchor: 0 } }
    : { changes: change };
  const transaction = state.update({ ...spec, annotations: Transaction.addToHistory.of(false) });
  return { transaction, anew: (fromTop ? text : change.insert).length > LONG, fromTop };
}

/**
 * Shows a text that is shared with another editor: it is not copied.
 * @param {import('../../vendor/codemirror.js').EditorState} state
 * @param {import('../../vendor/codemirror.js').Text} doc
 * @returns {Replacing|null} null: it is shown already
 */
export function shared(state, doc) {
  if (state.doc.eq(doc)) return null;
  return {
    transaction: state.update({ changes: { from: 0, to: state.doc.length, insert: doc } }),
    anew: doc.length > LONG,
    fromTop: false,
  };
}

/**
 * What to replace in one text to get another.
 * @returns {{from: number, to: number, insert: string}|null} UTF-16, null: nothing
 */
function difference(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  let same = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  while (
    same < most - from &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

function withoutHistory(state) {
  const none = state.update({ effects: steps.reconfigure([]) }).state;
  return none.update({ effects: steps.reconfigure(history()) }).state;
}
