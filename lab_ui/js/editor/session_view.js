/**
 * Makes an editor a view of the text session: its edits go to the session, those of others come to it. While it is
 * hidden it only notes what it missed; its caret and scroll position are kept by the session.
 */
import { EditorSelection } from '../../vendor/codemirror.js';

/**
 * UTF-16 units; an editor that takes more in is drawn anew instead of updated, which would lay out all of its lines.
 */
export const MUCH = 200_000;

/**
 * @typedef {import('../../vendor/codemirror.js').ChangeSet} ChangeSet
 * @typedef {import('../../vendor/codemirror.js').Transaction} Transaction
 * @typedef {{view: import('../../vendor/codemirror.js').EditorView, replace: (transaction: Transaction, isAnew:
 *   boolean) => void, toTop: () => void}} Editor
 */
export class SessionView {
  #session;
  #name;
  #editor;
  #isShown = false;
  #isFollowing = false;
  /** @type {ChangeSet|null} */
  #missed = null;
  #missedNewText = false;
  #send = () => {};
  #ended = new AbortController();

  /**
   * @param {import('../text/session.js').TextSession} session whose text the editor was made with
   * @param {string} name of the place that the session keeps
   * @param {Editor} editor
   */
  constructor(session, name, editor) {
    this.#session = session;
    this.#name = name;
    this.#editor = editor;
    const { signal } = this.#ended;
    session.addEventListener('edit', event => this.#onEdit(/** @type {CustomEvent} */ (event).detail), { signal });
    session.addEventListener('caret', event => this.#onCaret(/** @type {CustomEvent} */ (event).detail), { signal });
  }

  /** The editor is shown, and edited from now on. */
  show() {
    const isNewText = this.#missedNewText;
    const missed = this.#missed;
    this.#isShown = true;
    this.#missed = null;
    this.#missedNewText = false;
    if (missed) this.#apply({ changes: missed, selection: isNewText ? EditorSelection.single(0) : null, isNewText });
    this.#session.select(this.#editor.view.state.selection);
  }

  /** @param {number} top the position at the upper edge of the editor */
  hide(top) {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#session.keepPlace(this.#name, { selection: this.#editor.view.state.selection, top });
  }

  /**
   * Tells the session what happened in the editor, before it is drawn; `drawn` is to follow.
   * @param {import('../../vendor/codemirror.js').ViewUpdate} update
   */
  take({ transactions, state }) {
    if (!this.#isFollowing) this.#send = this.#session.takeEarly(transactions, state.doc, this);
  }

  /** The editor drew the change that the session got. */
  drawn() {
    const send = this.#send;
    this.#send = () => {};
    send();
  }

  destroy() {
    this.#ended.abort();
  }

  /** @param {import('../text/session_types.js').Edit} edit */
  #onEdit({ changes, origin, selection, isNewText }) {
    if (origin === this) return;
    if (this.#isShown) {
      this.#apply({ changes, selection, isNewText });
      return;
    }
    this.#missed = this.#missed ? this.#missed.compose(changes) : changes;
    this.#missedNewText ||= isNewText;
  }

  /** @param {import('../../vendor/codemirror.js').EditorSelection} selection */
  #onCaret(selection) {
    if (this.#isShown) this.#follow(() => this.#editor.view.dispatch({ selection, scrollIntoView: true }));
  }

  /** @param {Pick<import('../text/session_types.js').Edit, 'changes'|'selection'|'isNewText'>} edit */
  #apply({ changes, selection, isNewText }) {
    const { state } = this.#editor.view;
    const transaction = state.update({
      changes,
      selection: selection ?? undefined,
      scrollIntoView: Boolean(selection),
      filter: false,
    });
    const isAnew = (isNewText && state.doc.length > MUCH) || insertedUnits(changes) > MUCH;
    if (isNewText) this.#editor.toTop();
    this.#follow(() => this.#editor.replace(transaction, isAnew));
  }

  /** Applies a change of the session without sending it back to the session. @param {() => void} apply */
  #follow(apply) {
    this.#isFollowing = true;
    try {
      apply();
    } finally {
      this.#isFollowing = false;
    }
  }
}

/** @param {ChangeSet} changes */
function insertedUnits(changes) {
  let units = 0;
  changes.iterChanges((_fromA, _toA, fromB, toB) => {
    units += toB - fromB;
  });
  return units;
}
