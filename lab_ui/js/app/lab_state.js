/**
 * What the screens share: tokenizers in use, the text, switches. One `change` event per `set`, its `detail` the set of
 * names that changed. Knows nothing of the page or the API.
 */
import { USUAL_EVERY, everyOf } from '../text/chunks.js';
import { Slots } from '../text/slots.js';
import { COLOURS } from '../text/token_colour.js';

export const MOST_TOKENIZERS = 8;
/** How many times the usual size texts and their counts have. */
export const TEXT_SIZES = { usual: 1, large: 1.35, presenter: 1.8 };
const REMEMBERED = [
  'chosen',
  'active',
  'baseline',
  'addSpecialTokens',
  'specials',
  'ignoreSpaces',
  'showIds',
  'showWhiteSpace',
  'theme',
  'textSize',
  'inspectView',
  'compareView',
  'hidden',
  'colourBy',
  'showMeter',
  'contextSize',
  'price',
  'showCuts',
  'cutEvery',
  'showChanges',
];
const ALLOWED = {
  theme: ['system', 'light', 'dark'],
  textSize: Object.keys(TEXT_SIZES),
  specials: ['parse', 'text', 'reject'],
  inspectView: ['text', 'table', 'bytes', 'ids'],
  compareView: ['aligned', 'side', 'table'],
  colourBy: COLOURS.map(({ value }) => value),
};

export class LabState extends EventTarget {
  /** @type {Object[]} ENTRY objects of the catalog */
  entries = [];
  /** @type {string[]} ids of known tokenizers whose files are on their way */
  fetching = [];
  /** @type {string[]} ids of the tokenizers in use */
  chosen = [];
  /** @type {string|null} the one Inspect shows */
  active = null;
  /** @type {string|null} the one Compare counts from */
  baseline = null;
  addSpecialTokens = true;
  /** @type {'parse'|'text'|'reject'} */
  specials = 'text';
  ignoreSpaces = true;
  showIds = true;
  showWhiteSpace = true;
  /** @type {'system'|'light'|'dark'} */
  theme = 'system';
  /** @type {'usual'|'large'|'presenter'} */
  textSize = 'usual';
  inspectView = 'text';
  /** @type {'aligned'|'side'|'table'} */
  compareView = 'aligned';
  /** @type {string[]} ids of those in use that Compare leaves out */
  hidden = [];
  /** @type {string} one of COLOURS */
  colourBy = 'position';
  showMeter = false;
  /** Whether what the normalizer lost and added stands under the text. */
  showChanges = true;
  /** Whether the text has a mark every `cutEvery` tokens. */
  showCuts = false;
  cutEvery = USUAL_EVERY;
  /** Tokens, as typed. */
  contextSize = '';
  /** Of a million tokens, as typed. */
  price = '';
  /** @type {{name: string|null, encoding: string}} where the text came from */
  source = { name: null, encoding: 'UTF-8' };
  slots = new Slots();
  /** Grows with every change of the text. */
  textVersion = 0;
  #text = '';
  #read = null;

  /** @param {Object} patch new values by name */
  set(patch) {
    const whole = { ...patch, ...this.#settled(patch) };
    const changed = new Set(Object.keys(whole).filter(name => this[name] !== whole[name]));
    if (!changed.size) return;
    Object.assign(this, whole);
    if (changed.has('chosen')) this.slots.keep(this.chosen);
    this.dispatchEvent(new CustomEvent('change', { detail: changed }));
  }

  /** @type {string} the text both screens show */
  get text() {
    if (this.#read) {
      this.#text = this.#read();
      this.#read = null;
    }
    return this.#text;
  }
  set text(text) {
    this.#text = text;
    this.#read = null;
    this.textVersion++;
  }

  /**
   * The text was edited. No event: who edits knows, and a megabyte is not read for every key.
   * @param {() => string} read gives it when it is wanted
   */
  edited(read) {
    this.#read = read;
    this.textVersion++;
  }

  entry(id) {
    return this.entries.find(entry => entry.id === id) ?? null;
  }
  /**
   * @returns {string} another one where the tokenizer of that id is another one: what is kept of a tokenizer is kept by
   *   it
   */
  revisionOf(id) {
    const { sha256 = '', revision = '' } = this.entry(id) ?? {};
    return `${id} ${sha256 ?? ''} ${revision ?? ''}`;
  }
  nameOf(id) {
    return this.entry(id)?.name ?? id;
  }
  letterOf(id) {
    return this.slots.letter(id) ?? '?';
  }
  get encodeOptions() {
    return { addSpecialTokens: this.addSpecialTokens, specials: this.specials, ignoreSpaces: this.ignoreSpaces };
  }

  /** @returns {string[]} ids of those in use that Compare does not leave out: one at least, where any is in use */
  get compared() {
    return this.chosen.filter(id => !this.hidden.includes(id));
  }

  /** Leaves a tokenizer out of Compare, or takes it in again. @returns {boolean} false: it is the last one */
  toggleHidden(id) {
    const hidden = this.hidden.includes(id) ? this.hidden.filter(other => other !== id) : [...this.hidden, id];
    if (hidden.length >= this.chosen.length) return false;
    this.set({ hidden });
    return true;
  }

  /** @returns {boolean} false: eight are in use already */
  add(id) {
    if (this.chosen.includes(id)) return true;
    if (this.chosen.length >= MOST_TOKENIZERS) return false;
    this.set({ chosen: [...this.chosen, id] });
    return true;
  }

  remove(id) {
    this.set({ chosen: this.chosen.filter(other => other !== id) });
  }

  /** @returns {Object} what is worth remembering */
  get preferences() {
    return { ...Object.fromEntries(REMEMBERED.map(name => [name, this[name]])), letters: this.slots.memory };
  }

  /** @param {Object} saved of an earlier time, possibly by another version: unknown and wrong values are left out */
  restore(saved) {
    this.slots = new Slots(saved.letters && typeof saved.letters === 'object' ? saved.letters : {});
    this.accept(saved);
  }

  /** Takes values from outside; unknown and wrong ones are left out. @param {Object} values */
  accept(values) {
    /** @type {Object<string, any>} */
    const patch = {};
    for (const name of REMEMBERED)
      if (name in values && typeof values[name] === typeof (this[name] ?? '')) patch[name] = values[name];
    for (const name of ['chosen', 'hidden']) if (name in patch && !isListOfWords(patch[name])) delete patch[name];
    for (const [name, values] of Object.entries(ALLOWED))
      if (name in patch && !values.includes(patch[name])) delete patch[name];
    if ('cutEvery' in patch && everyOf(patch.cutEvery) === null) delete patch.cutEvery;
    this.set(patch);
  }

  /**
   * What goes with other tokenizers: the one Inspect shows, the one Compare counts from and those it leaves out are
   * among them.
   */
  #settled(patch) {
    const { chosen, hidden, ...one } = {
      chosen: this.chosen,
      hidden: this.hidden,
      active: this.active,
      baseline: this.baseline,
      ...patch,
    };
    if (chosen === this.chosen && hidden === this.hidden) return {};
    const kept = hidden.filter(id => chosen.includes(id));
    const among = id => (chosen.includes(id) ? id : (chosen[0] ?? null));
    const isSame = kept.length === hidden.length && (!kept.length || kept.length < chosen.length);
    return {
      active: among(one.active),
      baseline: among(one.baseline),
      hidden: isSame ? hidden : kept.length < chosen.length ? kept : [],
    };
  }
}

const isListOfWords = value => Array.isArray(value) && value.every(word => typeof word === 'string');
