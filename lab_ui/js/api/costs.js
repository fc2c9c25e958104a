/** Measurements of cost: growth, hard inputs, the race of algorithms. Each is a job; its result is a COST REPORT. */
import { request } from './client.js';

/**
 * @typedef {import('./jobs.js').Job} Job
 * @typedef {'growth'|'pathological'|'race'} Cost
 * @typedef {{growth?: Object[]|null, pathological?: Object|null, race?: Object|null, stages?: Object|null}} CostReport
 *   parts that were not measured are null
 */

/** @param {Cost} cost @param {Object} options @returns {Promise<Job>} */
export const startCost = (cost, options) => request('POST', `benchmarks/${cost}`, { json: options });

/** @param {CostReport} report @returns {Promise<Object[]>} CHARTs of docs/reference/http-api.md */
export async function costFigures(report) {
  /** @type {{figures: any[]}} */
  const { figures } = await request('POST', 'benchmarks/cost/figures', { json: report });
  return figures;
}
