/** Turns the answers of `/explain` into rows that a component can draw. Knows nothing of the page. */
import { count, percent, plural, ratio, withMinus } from '../util/format.js';

/**
 * @typedef {import('../api/schema.d.ts').Place} Place
 * @typedef {import('../api/types.js').BoundaryDetails} Details
 * @typedef {import('../api/types.js').Merge} Merge
 * @typedef {import('../api/types.js').Path} Path
 * @typedef {import('../api/types.js').Lookup} Lookup
 * @typedef {{name: string, tokens: number[], text?: string, texts?: string[]}} FactRow `tokens`: ids; `texts`: of the
 *   text, such as candidates
 */

/** @type {Object<Place['stage'], string>} */
const STAGES = {
  edge: 'Edge of the text',
  'added token': 'Added tokens',
  normalizer: 'Normalizer',
  pretokenizer: 'Pretokenizer',
  model: 'Model',
};
/** @type {Object<string, string|null>} labels of the rules that are models; null: not shown */
const MODELS = {
  bpe: 'BPE',
  unigram: 'Unigram',
  word_piece: 'WordPiece',
  word_level: 'WordLevel',
  words: 'words',
  characters: 'characters',
  added: null,
};
const MAX_BLOCKED = 4;
const MAX_TRIED = 12;

/** "Model · BPE" @param {Place} place */
export function stageWords({ stage, rule }) {
  const name = rule === null ? null : rule in MODELS ? MODELS[rule] : rule;
  return [STAGES[stage], name].filter(Boolean).join(' · ');
}

/** @param {Place} place @returns {FactRow[]} */
export function factRows({ boundary, rule, details: known }) {
  if (!known) return [];
  const details = /** @type {Details} */ (known);
  if (rule === 'bpe') return boundary ? bpeRows(details) : builtRows(details);
  if (rule === 'unigram') return unigramRows(details);
  if (rule === 'word_piece') return wordPieceRows(details);
  return [];
}

/** @param {Place} place @returns {number[]} every id in its facts */
export const idsOf = place => [
  ...new Set([...factRows(place), ...(weighedSegmentations(place)?.segmentations ?? [])].flatMap(row => row.tokens)),
];

/** Returns what orders the merges: the score, if the model has scores, else the rank. @param {Merge} merge */
const order = ({ rank, score }) =>
  score === undefined || score === null ? `rank ${count(rank)}` : `score ${withMinus(String(score))}`;

/** @param {Details} details @returns {FactRow[]} */
function bpeRows({ missing, blocked = [] }) {
  /** @type {FactRow[]} */
  const rows = missing ? [{ name: 'missing merge', tokens: missing }] : [];
  for (const merge of blocked.slice(0, MAX_BLOCKED)) {
    rows.push(
      { name: 'blocked merge', tokens: merge.pair, text: order(merge) },
      { name: 'came first', tokens: merge.by.pair, text: order(merge.by) },
    );
  }
  if (blocked.length > MAX_BLOCKED)
    rows.push({ name: '', tokens: [], text: `and ${plural(blocked.length - MAX_BLOCKED, 'more blocked merge')}` });
  return rows;
}

/** @param {Details} details @returns {FactRow[]} */
const builtRows = ({ merges = [] }) => merges.map(merge => ({ name: 'merge', tokens: merge.pair, text: order(merge) }));

/** @param {Details} details @returns {FactRow[]} */
function unigramRows({
  score,
  segmentation_without: without,
  runner_up: runnerUp,
  worse_by: worse,
  probability,
  segment,
}) {
  const [start, end] = segment?.span ?? [0, Infinity]; // every segmentation is the same outside it
  /** @param {Path} path @param {string} [more] */
  const path = ({ tokens, score: sum }, more = '') => ({
    tokens: tokens.flatMap(({ id, span }) =>
      id === null || (span && (span[0] < start || span[0] >= end)) ? [] : [id],
    ),
    text: `score ${ratio(sum)}${more}`,
  });
  /** @param {Path} path */
  const beyond = ({ left_out: leftOut = 0 }) => (leftOut ? `, ${plural(leftOut, 'more token')}` : '');
  /** @type {FactRow[]} */
  const rows =
    score === undefined || score === null
      ? []
      : [{ name: without === undefined ? 'score' : 'best path', tokens: [], text: ratio(score) }];
  if (without && worse !== undefined)
    rows.push({ name: 'without this boundary', ...path(without, `, ${ratio(worse)} less`) });
  if (runnerUp && !segment) rows.push({ name: 'runner-up', ...path(runnerUp, beyond(runnerUp)) });
  if (probability !== undefined && probability !== null)
    rows.push({ name: 'boundary here', tokens: [], text: `probability ${share(probability)}` });
  return rows;
}

/** "97.3 %"; a probability near 0 or 1 is never rounded to it. @param {number} probability */
export const share = probability =>
  probability > 0 && probability < 0.001
    ? `< ${percent(0.001, 1)}`
    : probability < 1 && probability > 0.999
      ? `> ${percent(0.999, 1)}`
      : percent(probability, probability === 0 || probability === 1 ? 0 : 1);

/**
 * Returns the segmentations that a Unigram model weighed around a place.
 * @param {Pick<Place, 'at'|'details'>} place
 * @returns {{segmentations: {share: string, tokens: number[], score: string}[], parts: {text: string,
 * probability: number|null, here: boolean}[], partOf: number|null}|null} `parts`: the text between possible boundaries,
 *   each with the probability of the boundary before it; `partOf`: number of characters of the whole span, null if all
 *   of it is here
 */
export function weighedSegmentations({ at, details }) {
  const segment = /** @type {Details|null} */ (details)?.segment;
  if (!segment) return null;
  const characters = [...segment.text];
  const places = [0, ...segment.boundaries.map(each => each.character), characters.length];
  return {
    segmentations: segment.segmentations.map(one => ({
      share: share(one.probability),
      tokens: one.tokens.map(token => token.id),
      score: ratio(one.score),
    })),
    parts: places.slice(0, -1).map((from, n) => ({
      text: characters.slice(from, places[n + 1]).join(''),
      probability: n ? segment.boundaries[n - 1].probability : null,
      here: n > 0 && segment.boundaries[n - 1].byte === at,
    })),
    partOf: segment.excerpt_of?.characters ?? null,
  };
}

/** @param {Details} details @returns {FactRow[]} */
function wordPieceRows({ before, after }) {
  /** @param {string} name @param {Lookup} [step] @returns {FactRow[]} */
  const row = (name, step) =>
    step
      ? [
          {
            name,
            tokens: step.found === null ? [] : [step.found],
            texts: step.candidates.slice(0, MAX_TRIED),
            text: `${count(step.tried)} looked up, the longest first`,
          },
        ]
      : [];
  return [...row('before it', before), ...row('after it', after)];
}
