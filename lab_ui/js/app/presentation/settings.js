/** The settings of a presentation, which belong to the screen that is presented. */
import { BUILT_IN, problemOf } from './prepared_texts.js';

/** How much larger than what fits six lines the text is. */
export const SIZES = [0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2];

/** @type {Object<string, import('../state/settings.js').Setting>} */
export const PRESENTATION = {
  /** Texts to go through after that of the lab. */
  texts: { default: BUILT_IN, allows: texts => !problemOf(texts), isWork: true },
  presenterSize: { default: 1, oneOf: SIZES },
  /** Colours of the presentation; `theme`: light or dark, as the lab is. */
  palette: { default: 'theme', oneOf: ['theme', 'light', 'dark'] },
};
