/** The settings of Compare. */
import { amongChosen } from '../../app/state/shared_settings.js';
import { PRESENTATION } from '../../app/presentation/settings.js';

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const COMPARE = {
  view: { default: 'aligned', oneOf: ['aligned', 'side', 'table'], url: 'compare' },
  /** IDs under the blocks of the lanes. */
  laneIds: { default: false, url: 'laneids' },
  /** Thin lanes under small letters, and cards of one line. */
  compact: { default: false, url: 'compact' },
  /** The tokenizer that the others are counted from. */
  baseline: { default: null, url: 'baseline', settle: amongChosen },
  /** Ids of the tokenizers in use that are left out: never all of them. */
  hidden: { default: [], url: 'off', settle: notAll },
  ...PRESENTATION,
};

/** @param {string[]} hidden @param {(name: string) => any} get */
function notAll(hidden, get) {
  const chosen = get('chosen');
  const kept = hidden.filter(id => chosen.includes(id));
  return kept.length < chosen.length ? kept : [];
}

/**
 * The setting that shows ids in the view that is open.
 * @param {import('../../app/state/settings.js').Settings} settings
 */
export const idSetting = settings => (settings.get('compare.view') === 'aligned' ? 'compare.laneIds' : 'showIds');

/** @param {import('../../app/state/settings.js').Settings} settings @returns {string[]} those not left out */
export const compared = settings => settings.get('chosen').filter(id => !settings.get('compare.hidden').includes(id));

/**
 * Leaves a tokenizer out of Compare, or takes it in again.
 * @param {import('../../app/state/settings.js').Settings} settings @param {string} id
 * @returns {boolean} false: it is the last one that is shown
 */
export function toggleHidden(settings, id) {
  const before = settings.get('compare.hidden');
  const hidden = before.includes(id) ? before.filter((/** @type {string} */ other) => other !== id) : [...before, id];
  if (hidden.length >= settings.get('chosen').length) return false;
  settings.set({ 'compare.hidden': hidden });
  return true;
}
