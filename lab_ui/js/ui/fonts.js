/**
 * The page's fonts. Those for Latin text and signs are loaded before anything is measured; faces for other scripts when
 * a text needs them.
 */
const FIRST = [
  ['Inter', 'a'],
  ['JetBrains Mono', 'a→'],
];

/** Settles when the first fonts are there; one that is missing is replaced by the system's. */
export const fontsLoaded = () =>
  Promise.allSettled(FIRST.map(([family, letters]) => document.fonts.load(`16px "${family}"`, letters)));

/** Calls `track` with work that lasts while a font is being loaded. @param {(work: Promise<any>) => any} track */
export const watchFonts = track => document.fonts.addEventListener('loading', () => track(document.fonts.ready));
