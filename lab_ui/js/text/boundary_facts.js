/**
 * The facts behind a cut as rows that a component can draw: what is said, about which tokens, with which numbers. Knows
 * the answers of `/explain`, nothing of the page.
 */
import { count, percent, plural } from '../util/format.js';

/**
 * @typedef {{kind: string, span_utf8: [number, number], by: string, text: string, token: string, summary: string}} Edit
 * @typedef {{at: number, cut: boolean, stage: string, rule: string|null, details: Object|null, summary: string, edit:
 *   Edit|null}} Place
 * @typedef {{name: string, tokens: number[], words?: string, texts?: string[]}} FactRow `tokens`: ids; `texts`:
 *   stretches of text
 */

const STAGES = {
  edge: 'Edge of the text',
  'added token': 'Added tokens',
  normalizer: 'Normalizer',
  pretokenizer: 'Pretokenizer',
  model: 'Model',
};
const MODELS = {
  bpe: 'BPE',
  unigram: 'Unigram',
  word_piece: 'WordPiece',
  word_level: 'WordLevel',
  words: 'words',
  characters: 'characters',
  added: null,
};
const MOST_BLOCKED = 4;
const MOST_TRIED = 12;

/** "Model · BPE" @param {Place} place */
export function stageWords({ stage, rule }) {
  const name = rule === null ? null : rule in MODELS ? MODELS[rule] : rule;
  return [STAGES[stage] ?? stage, name].filter(Boolean).join(' · ');
}

/** @param {Place} place @returns {FactRow[]} */
export function factRows({ cut, rule, details }) {
  if (!details) return [];
  if (rule === 'bpe') return cut ? bpeRows(details) : builtRows(details);
  if (rule === 'unigram') return unigramRows(details);
  if (rule === 'word_piece') return wordPieceRows(details);
  return [];
}

/** @param {Place} place @returns {number[]} every id that is named */
export const idsOf = place => [
  ...new Set([...factRows(place), ...(weighedWays(place)?.ways ?? [])].flatMap(row => row.tokens)),
];

/** What decides when a merge is done: the score of what it makes, where a model goes by that, or its rank. */
const order = ({ rank, score }) => (score === undefined ? `rank ${count(rank)}` : `score ${score}`);

function bpeRows({ missing, blocked = [] }) {
  const rows = missing ? [{ name: 'missing merge', tokens: missing }] : [];
  for (const merge of blocked.slice(0, MOST_BLOCKED)) {
    rows.push(
      { name: 'blocked merge', tokens: merge.pair, words: order(merge) },
      { name: 'came first', tokens: merge.by.pair, words: order(merge.by) },
    );
  }
  if (blocked.length > MOST_BLOCKED)
    rows.push({ name: '', tokens: [], words: `and ${plural(blocked.length - MOST_BLOCKED, 'more blocked merge')}` });
  return rows;
}

const builtRows = ({ merges = [] }) =>
  merges.map(merge => ({ name: 'merge', tokens: merge.pair, words: order(merge) }));

function unigramRows({ score, without, runner_up: runnerUp, worse_by: worse, probability, unit }) {
  const [start, end] = unit?.span ?? [0, Infinity]; // what is beyond the stretch is the same in every way
  const path = ({ tokens, score: sum }, more = '') => ({
    tokens: tokens.flatMap(({ id, span }) =>
      id === null || (span && (span[0] < start || span[0] >= end)) ? [] : [id],
    ),
    words: `score ${sum.toFixed(2)}${more}`,
  });
  const beyond = ({ left_out: leftOut = 0 }) => (leftOut ? `, ${plural(leftOut, 'more token')}` : '');
  const rows =
    score === undefined || score === null
      ? []
      : [{ name: without === undefined ? 'score' : 'best path', tokens: [], words: score.toFixed(2) }];
  if (without) rows.push({ name: 'without this boundary', ...path(without, `, ${worse.toFixed(2)} less`) });
  if (runnerUp && !unit) rows.push({ name: 'runner-up', ...path(runnerUp, beyond(runnerUp)) });
  if (probability !== undefined && probability !== null)
    rows.push({ name: 'boundary here', tokens: [], words: `probability ${share(probability)}` });
  return rows;
}

/** "97.3 %"; what is almost nothing or almost all says so. @param {number} probability */
export const share = probability =>
  probability > 0 && probability < 0.001
    ? `< ${percent(0.001, 1)}`
    : probability < 1 && probability > 0.999
      ? `> ${percent(0.999, 1)}`
      : percent(probability, probability === 0 || probability === 1 ? 0 : 1);

/**
 * The ways to cut a stretch that a Unigram model weighs against each other.
 * @param {Place} place
 * @returns {{ways: {share: string, tokens: number[], score: string}[], parts: {text: string, probability: number|null,
 *   here: boolean}[], partOf: number|null}|null} `parts`: the stretch in characters that no place is between, each with
 *   the probability of a cut before it; `partOf`: of how many characters it is a part, null where it is all that is cut
 *   together
 */
export function weighedWays({ at, details }) {
  const unit = details?.unit;
  if (!unit) return null;
  const characters = [...unit.text];
  const places = [0, ...unit.cuts.map(cut => cut.character), characters.length];
  return {
    ways: unit.n_best.map(way => ({
      share: share(way.probability),
      tokens: way.tokens.map(token => token.id),
      score: way.score.toFixed(2),
    })),
    parts: places.slice(0, -1).map((from, n) => ({
      text: characters.slice(from, places[n + 1]).join(''),
      probability: n ? unit.cuts[n - 1].probability : null,
      here: n > 0 && unit.cuts[n - 1].byte === at,
    })),
    partOf: unit.part_of?.characters ?? null,
  };
}

function wordPieceRows({ before, after }) {
  const row = (name, step) =>
    step
      ? [
          {
            name,
            tokens: step.found === null ? [] : [step.found],
            texts: step.candidates.slice(0, MOST_TRIED),
            words: `${count(step.tried)} looked up, the longest first`,
          },
        ]
      : [];
  return [...row('before it', before), ...row('after it', after)];
}
