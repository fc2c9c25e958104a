/**
 * The text of the lab: one document with one undo history for all screens. It knows nothing of the DOM: editors are
 * views of it (`editor/token_text.js`), and `live_encoding.js` keeps the tokens of the text that a screen wants.
 *
 * Events: `typed` (the text changed, and the editor with the edit has not drawn it yet: only for those who send it),
 * `edit` (the text changed, and that editor has drawn it; both have an Edit as detail), `source` (the name or the
 * encoding changed) and `caret` (a command of the history moved the caret; detail: the selection).
 */
import {
  Compartment,
  EditorState,
  StateEffect,
  StateField,
  Transaction,
  history,
  invertedEffects,
  isolateHistory,
  redo,
  undo,
} from '../../vendor/codemirror.js';
import { LiveEncoding } from './live_encoding.js';
import { PAGE_CLOCK } from './timing.js';

/** UTF-16 units. The history keeps at most one text that is longer. */
export const LONG = 200_000;
/** @type {Source} */
const NO_SOURCE = { name: null, encoding: 'UTF-8' };
const NO_CLIENT = /** @type {import('./session_types.js').Client} */ ({});
/** Where the text is from: a step of the history brings the source of its text back. */
const setSource = StateEffect.define(/** @type {{map: (source: Source) => Source}} */ ({ map: source => source }));
/** @type {import('../../vendor/codemirror.js').StateField<Source>} */
const SOURCE = StateField.define({
  create: () => NO_SOURCE,
  update: (source, { effects }) => effects.findLast(effect => effect.is(setSource))?.value ?? source,
  provide: field =>
    invertedEffects.of(({ effects, startState }) =>
      effects.some(effect => effect.is(setSource)) ? [setSource.of(startState.field(field))] : [],
    ),
});
const KEPT = [Transaction.time, Transaction.userEvent, Transaction.addToHistory, isolateHistory];

/**
 * @typedef {import('./session_types.js').ChangeSet} ChangeSet
 * @typedef {import('./session_types.js').Edit} Edit
 * @typedef {import('./session_types.js').Place} Place
 * @typedef {import('./session_types.js').Selection} Selection
 * @typedef {import('./session_types.js').Source} Source
 */
export class TextSession extends EventTarget {
  #steps = new Compartment();
  #state;
  #doc;
  /** @type {string|null} */
  #text = null;
  #version = 1;
  /** @type {Map<string, Place>} */
  #places = new Map();
  #lastPlace = '';
  #services;
  /** @type {Set<LiveEncoding>} */
  #encodings = new Set();

  /**
   * @param {Partial<import('./session_types.js').Services>} services without a client nothing can be encoded
   */
  constructor({ client, clock = PAGE_CLOCK, track = work => work } = {}) {
    super();
    this.#services = { client: client ?? NO_CLIENT, clock, track };
    this.#state = EditorState.create({
      extensions: [EditorState.lineSeparator.of('\n'), this.#steps.of(history()), SOURCE],
    });
    this.#doc = this.#state.doc;
  }

  /** @returns {import('../../vendor/codemirror.js').Text} */
  get doc() {
    return this.#doc;
  }
  get length() {
    return this.#doc.length;
  }
  /** The text as one string, made when it is asked for and kept until the next edit. */
  get text() {
    this.#text ??= this.#doc.toString();
    return this.#text;
  }
  /** @returns {number} grows with every edit */
  get version() {
    return this.#version;
  }
  /** @returns {Source} */
  get source() {
    return this.#state.field(SOURCE);
  }

  /**
   * Replaces the whole text, as one step of the history.
   * @param {string} text
   * @param {Source} [source]
   */
  setText(text, source = NO_SOURCE) {
    const effects = setSource.of(source);
    if (text === this.text) {
      this.#apply({ effects, annotations: Transaction.addToHistory.of(false) });
      this.dispatchEvent(new CustomEvent('source'));
      return;
    }
    if (this.length > LONG) this.#forgetHistory();
    const { changes } = this.#apply({
      changes: { from: 0, to: this.length, insert: text },
      selection: { anchor: 0 },
      effects,
      annotations: isolateHistory.of('full'),
    });
    this.#places.clear();
    this.#edited(changes, { selection: this.#state.selection, isNewText: true });
  }

  /** Empties the text and its history. */
  clear() {
    this.setText('');
    this.#forgetHistory();
  }

  /**
   * Edits the text from outside of the editors, as one step of the history; the caret goes to its start.
   * @param {{from: number, to: number, insert: string}} change UTF-16
   */
  edit({ from, to, insert }) {
    const { changes } = this.#apply({
      changes: { from, to, insert },
      selection: { anchor: from },
      annotations: [isolateHistory.of('full'), Transaction.userEvent.of('input')],
    });
    this.#edited(changes, { selection: this.#state.selection });
  }

  /**
   * Takes over what happened in an editor, whose text and caret were those of the session.
   * @param {readonly import('../../vendor/codemirror.js').Transaction[]} transactions
   * @param {import('../../vendor/codemirror.js').Text} doc the text after them
   * @param {Object} origin the editor
   */
  take(transactions, doc, origin) {
    this.takeEarly(transactions, doc, origin)();
  }

  /**
   * The same in two steps, for an editor that has not drawn the edit yet: laying out a long line takes longer than the
   * tokens of the edit.
   * @param {readonly import('../../vendor/codemirror.js').Transaction[]} transactions
   * @param {import('../../vendor/codemirror.js').Text} doc the text after them
   * @param {Object} origin the editor
   * @returns {() => void} to be called in the same task, when it is drawn
   */
  takeEarly(transactions, doc, origin) {
    /** @type {ChangeSet|null} */
    let changes = null;
    for (const transaction of transactions) {
      if (!transaction.docChanged && !transaction.selection) continue;
      const { selection } = transaction;
      this.#apply({ changes: transaction.changes, selection, annotations: annotationsOf(transaction) }, transaction);
      if (transaction.docChanged) changes = changes ? changes.compose(transaction.changes) : transaction.changes;
    }
    return changes ? this.#typed(changes, { origin, doc }) : () => {};
  }

  /** @returns {boolean} false: nothing to undo */
  undo() {
    return this.run(undo);
  }
  /** @returns {boolean} false: nothing to redo */
  redo() {
    return this.run(redo);
  }

  /**
   * Runs a command of CodeMirror's history.
   * @param {typeof undo} command
   * @returns {boolean} false: nothing to do
   */
  run(command) {
    /** @type {any} */
    let step = null;
    command({
      state: this.#state,
      dispatch: transaction => {
        step = transaction;
      },
    });
    if (!step) return false;
    this.#state = step.state;
    const { selection } = this.#state;
    if (step.docChanged) this.#edited(step.changes, { selection });
    else this.dispatchEvent(new CustomEvent('caret', { detail: selection }));
    return true;
  }

  /** The caret moves to that of another editor: the next edit comes from it. @param {Selection} selection */
  select(selection) {
    if (!selection.eq(this.#state.selection)) this.#apply({ selection });
  }

  /** Keeps caret and scroll position of an editor, moved along by edits. @param {string} name @param {Place} place */
  keepPlace(name, place) {
    this.#places.set(name, place);
    this.#lastPlace = name;
  }

  /** @param {string} name @returns {Place|null} an editor without a place gets that of the editor shown last */
  placeOf(name) {
    return this.#places.get(name) ?? this.#places.get(this.#lastPlace) ?? null;
  }

  /** @returns {LiveEncoding} the tokens of this text for one screen */
  encoding() {
    const encoding = new LiveEncoding(this, this.#services, () => this.#encodings.delete(encoding));
    this.#encodings.add(encoding);
    return encoding;
  }

  /** Ends all requests. */
  destroy() {
    for (const encoding of [...this.#encodings]) encoding.destroy();
  }

  /**
   * @param {Object} spec as of `EditorState.update`
   * @param {import('../../vendor/codemirror.js').Transaction|null} [same] what an editor did with the same text
   */
  #apply(spec, same = null) {
    const transaction = this.#state.update({ ...spec, filter: false });
    if (same?.docChanged && same.startState.doc === this.#state.doc) shareText(transaction, same);
    this.#state = transaction.state;
    return transaction;
  }

  /** @param {ChangeSet} changes @param {Partial<Edit> & {doc?: import('../../vendor/codemirror.js').Text}} edit */
  #edited(changes, edit) {
    this.#typed(changes, edit)();
  }

  /**
   * @param {ChangeSet} changes @param {Partial<Edit> & {doc?: import('../../vendor/codemirror.js').Text}} edit
   * @returns {() => void} tells of the edit that it is drawn
   */
  #typed(changes, { origin = null, selection = null, isNewText = false, doc = this.#state.doc }) {
    this.#doc = doc; // that of the editor where there is one: the same text in the same memory
    this.#text = null;
    this.#version++;
    for (const [name, place] of this.#places)
      this.#places.set(name, { selection: place.selection.map(changes), top: changes.mapPos(place.top) });
    const detail = { changes, origin, selection, isNewText };
    this.dispatchEvent(new CustomEvent('typed', { detail }));
    return () => this.dispatchEvent(new CustomEvent('edit', { detail }));
  }

  #forgetHistory() {
    this.#apply({ effects: this.#steps.reconfigure([]) });
    this.#apply({ effects: this.#steps.reconfigure(history()) });
  }
}

/**
 * The text after a change that an editor made already: to apply it again would copy the line, which may be a megabyte.
 * CodeMirror makes it when it is first asked for, and has no public way to hand it over.
 * @param {import('../../vendor/codemirror.js').Transaction} transaction
 * @param {import('../../vendor/codemirror.js').Transaction} same with the same changes of the same text
 */
function shareText(transaction, same) {
  /** @type {any} */ (transaction)._doc = same.newDoc;
}

/**
 * What the history needs to know to group edits into steps.
 * @param {import('../../vendor/codemirror.js').Transaction} transaction
 */
function annotationsOf(transaction) {
  return KEPT.flatMap(type => {
    const value = transaction.annotation(/** @type {any} */ (type));
    return value === undefined ? [] : [/** @type {any} */ (type).of(value)];
  });
}
