/** The settings of Learn. */

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const LEARN = {
  /** By lesson: steps that were right at the first press, and steps that were asked, of the best time. */
  progress: { default: {}, isWork: true },
};
