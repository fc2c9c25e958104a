/** The settings that screens share. Those of one screen are declared in its folder, in `settings.js`. */
import { COLOURS } from '../../text/token_colour.js';
import { NARROWEST, WIDEST } from '../../ui/panel_width.js';

/** Tokenizers that can be in use at a time. */
export const MOST_TOKENIZERS = 8;
/** Says why another tokenizer cannot be used. */
export const ALL_IN_USE = 'Eight tokenizers are in use; remove one first';
/** The two that a new lab begins with, and that the preset offers. */
export const FIRST_CHOICE = ['bert-base-uncased', 'gpt2'];

/** How many times larger than the default the texts and their counts are. @type {Object<string, number>} */
export const TEXT_SIZES = { usual: 1, large: 1.35, presenter: 1.8 };

/**
 * Fits a choice to the tokenizers in use: one of them, or the first. @param {string|null} id
 * @param {(name: string) => any} get
 */
export const amongChosen = (id, get) => (get('chosen').includes(id) ? id : (get('chosen')[0] ?? null));

/** @type {import('./setting_types.js').SharedSettings} */
export const SHARED = {
  /** Ids of the tokenizers in use. */
  chosen: { default: [], url: 't', most: MOST_TOKENIZERS, isWork: true },
  /** The tokenizer that Inspect and Vocabulary show. */
  active: { default: null, url: 'active', settle: amongChosen, isWork: true },
  addSpecialTokens: { default: true, url: 'add' },
  /** What becomes of text that looks like a special token. */
  specials: { default: 'text', oneOf: ['parse', 'text', 'reject'], url: 'specials' },
  ignoreSpaces: { default: true, url: 'spaces' },
  showIds: { default: true, url: 'ids' },
  showWhiteSpace: { default: true, url: 'glyphs' },
  colourBy: { default: 'position', oneOf: COLOURS.map(({ value }) => value), url: 'colour' },
  /** Whether the panel on the right is shown, and how wide it is in px. */
  showPanel: { default: true, url: 'panel' },
  panelWidth: { default: 340, allows: width => width >= NARROWEST && width <= WIDEST },
  /** How wide a picture of the text is. */
  pictureWidth: { default: 'window', oneOf: ['window', 'page', 'column'] },
  /** How wide a saved chart is: one column of a paper, or both; and its text, in points. */
  figureWidth: { default: 'screen', oneOf: ['screen', 'column', 'page'] },
  figureText: { default: '8', oneOf: ['7', '8', '9', '10'] },
  /** Whether title and unit are above a saved chart. */
  figureTitle: { default: true },
  theme: { default: 'system', oneOf: ['system', 'light', 'dark'] },
  textSize: { default: 'usual', oneOf: Object.keys(TEXT_SIZES) },
  /** Whether keys without Ctrl or Cmd are commands. */
  singleKeys: { default: true },
  /** Sets of tokenizers, ids by the name of the set. */
  sets: { default: {}, isWork: true },
  /** Letter by tokenizer id, of all that were ever in use. */
  letters: { default: {}, isWork: true },
};
