/** Measurements of cost: growth, hard inputs, races of algorithms. Each is a job; its result is a COST REPORT. */
import { request } from './client.js';
/** @import {CostReport, CostSummary, Figure, Job, Profile} from './schema.d.ts' */

/**
 * @typedef {'growth'|'pathological'|'race'|'trainers'} Cost
 */

/** @param {Cost} cost @param {Object} options @returns {Promise<Job>} */
export const startCost = (cost, options) => request('POST', `benchmarks/${cost}`, { json: options });

/** @returns {Promise<CostSummary[]>} the kept measurements, the newest first */
export async function listCosts() {
  /** @type {{costs: CostSummary[]}} */
  const { costs } = await request('GET', 'benchmarks/costs');
  return costs;
}

/** @param {number} id of a kept measurement @returns {Promise<{summary: CostSummary, report: CostReport}>} */
export const getCost = id => request('GET', `benchmarks/costs/${id}`);

/**
 * @param {CostReport} report @param {string[]} letters of its different tokenizers, in order
 * @returns {Promise<Figure[]>}
 */
export async function costFigures(report, letters) {
  /** @type {{figures: Figure[]}} */
  const { figures } = await request('POST', `benchmarks/cost/figures?letters=${letters.join('')}`, { json: report });
  return figures;
}

/**
 * Where the time goes inside of one document.
 * @param {string} tokenizer @param {string} text
 * @returns {Promise<Profile>}
 */
export const profileDocument = (tokenizer, text) =>
  request('POST', 'benchmarks/profile', { json: { tokenizer, text } });

/** @param {Profile} profile @returns {Promise<Figure[]>} */
export async function profileFigures(profile) {
  /** @type {{figures: Figure[]}} */
  const { figures } = await request('POST', 'benchmarks/profile/figures', { json: profile });
  return figures;
}
