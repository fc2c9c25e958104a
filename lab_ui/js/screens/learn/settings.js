/** The settings of Learn. */
import { isSmallEnough } from '../../app/presentation/prepared_texts.js';
import { PRESENTATION } from '../../app/presentation/settings.js';
import { hasHalfCharacter } from '../../util/utf8.js';

const { presenterSize, palette } = PRESENTATION;

/** Bytes of all texts of one's own that are kept: the preferences, which they are among, are small. */
const MOST_BYTES = 10_000;

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const LEARN = {
  presenterSize,
  palette,
  /** By lesson: steps that were right at the first press, and steps that were asked, of the best time. */
  progress: { default: {}, isWork: true, allows: areCounts },
  /** By lesson: the words of one's own that were typed there last. */
  samples: { default: {}, isWork: true, allows: canBeKept },
};

/** Whether texts by lesson can be kept: few, and without half of a character. @param {Object<string, any>} samples */
export function canBeKept(samples) {
  const areTexts = Object.values(samples).every(each => typeof each === 'string' && !hasHalfCharacter(each));
  return areTexts && isSmallEnough(samples, MOST_BYTES);
}

/** @param {Object<string, any>} progress @returns {boolean} whether it has two numbers for each lesson */
function areCounts(progress) {
  return Object.values(progress).every(each => Array.isArray(each) && each.length === 2 && each.every(Number.isFinite));
}
