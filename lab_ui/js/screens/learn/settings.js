/** The settings of Learn. */
import { PRESENTATION } from '../../app/presentation/settings.js';

const { presenterSize, palette } = PRESENTATION;

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const LEARN = {
  presenterSize,
  palette,
  /** By lesson: steps that were right at the first press, and steps that were asked, of the best time. */
  progress: { default: {}, isWork: true, allows: areCounts },
  /** By lesson: the words of one's own that were typed there last. */
  samples: { default: {}, isWork: true, allows: areTexts },
};

/** @param {Object<string, any>} samples @returns {boolean} whether it has a text for each lesson */
function areTexts(samples) {
  return Object.values(samples).every(each => typeof each === 'string');
}

/** @param {Object<string, any>} progress @returns {boolean} whether it has two numbers for each lesson */
function areCounts(progress) {
  return Object.values(progress).every(each => Array.isArray(each) && each.length === 2 && each.every(Number.isFinite));
}
