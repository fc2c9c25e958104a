/** The words and figures of runs, and the order of their rows. Knows nothing of the page. */
import { LETTERS } from '../../text/slots.js';
import { count, plural, size } from '../../util/format.js';

/** @type {Object<string, string|undefined>} */
const ENGINES = { tokenlab: 'Tokenlab' };
/** @type {Object<string, string>} */
const TEMPERATURES = { warm: 'warm', cold: 'cold', first_pass: 'first pass' };
/** @type {Object<string, string>} */
const OUTPUTS = { ids: 'IDs only', spans: 'IDs and spans', lists: 'IDs as lists' };
/** @type {Object<string, string>} */
const SHAPES = { whole: 'whole text', documents: 'document by document', batch: 'one batch' };
/** States of rows that have no line in the table: they are listed below it. */
const LEFT_OUT = ['missing', 'unsupported'];

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkResult} Benchmark
 * @typedef {import('../../api/schema.d.ts').BenchmarkRow} BenchmarkRow
 * @typedef {{row: BenchmarkRow, number: number, name: string, letter: string, mark: string}} Line `number`: counted
 *   from 1; `letter`: of its tokenizer, gives hue and shape; `mark`: that letter, or `number` if a tokenizer has
 *   several rows
 */

/** @param {string} engine its name in the interface */
export const engineName = engine => ENGINES[engine] ?? engine;

/**
 * Names for keys of rows: what they all have in common is left out.
 * @param {string[]} keys
 * @returns {string[]}
 */
export function keyNames(keys) {
  const parts = keys.map(key => {
    const at = key.lastIndexOf('/');
    return { tokenizer: key.slice(0, at), engine: engineName(key.slice(at + 1)) };
  });
  const hasTokenizers = parts.some(({ tokenizer }) => tokenizer !== parts[0].tokenizer);
  const hasEngines = parts.some(({ engine }) => engine !== parts[0].engine);
  if (!hasTokenizers) return parts.map(({ engine }) => engine);
  return hasEngines ? keys.map(keyName) : parts.map(({ tokenizer }) => tokenizer);
}

/** @param {string} key of a row: TOKENIZER/ENGINE */
export function keyName(key) {
  const at = key.lastIndexOf('/');
  return `${engineName(key.slice(at + 1))}, ${key.slice(0, at)}`;
}

/**
 * The rows that have a line, in the order of the charts (`lab_app/charts/benchmarks/subjects.py`): by rank, then
 * inexact ones, then those without figures.
 * @param {Benchmark} run @param {string[]} [letters] of its `tokenizersOf`; without them A, B, C
 * @returns {Line[]}
 */
export function linesOf(run, letters = LETTERS) {
  const tokenizers = tokenizersOf(run);
  const hasLetters = tokenizers.length === run.rows.length;
  const place = (/** @type {Line} */ { row, number }) => [
    row.rank ?? Infinity,
    -(row.throughput_mb_per_s?.median ?? 0),
    number,
  ];
  return run.rows
    .map((row, at) => {
      const letter = letters[tokenizers.indexOf(row.tokenizer)] ?? '?';
      return { row, number: at + 1, name: rowName(run, row), letter, mark: hasLetters ? letter : String(at + 1) };
    })
    .filter(({ row }) => !LEFT_OUT.includes(row.state))
    .sort((a, b) => {
      const [left, right] = [place(a), place(b)];
      const at = left.findIndex((value, n) => value !== right[n]);
      return at < 0 ? 0 : left[at] < right[at] ? -1 : 1;
    });
}

/** The different tokenizers in the order of their rows. @param {Benchmark} run @returns {string[]} */
export const tokenizersOf = run => [...new Set(run.rows.map(({ tokenizer }) => tokenizer))];

/** What cannot be measured here. @param {Benchmark} run @returns {BenchmarkRow[]} */
export const leftOut = run => run.rows.filter(({ state }) => LEFT_OUT.includes(state));

/**
 * Engines that are not installed, with the command that installs each: those of the run, then the others. A run of
 * several tokenizers in one engine has only its own.
 * @param {Benchmark} run @param {import('../../api/schema.d.ts').EngineState[]} engines that the lab knows
 * @returns {{engine: string, install: string|null}[]}
 */
export function missingEngines({ rows }, engines) {
  const found = rows.filter(({ state }) => state === 'missing').map(({ engine, install }) => ({ engine, install }));
  const others = engines
    .filter(({ version }) => version === null)
    .map(({ name, install }) => ({ engine: name, install }));
  const comparesEngines = rows.some(({ engine }) => engine !== rows[0].engine);
  const all = comparesEngines ? [...found, ...others] : found;
  return all.filter(({ engine }, at) => all.findIndex(one => one.engine === engine) === at);
}

/**
 * The engine, the tokenizer, or both, as far as they differ in the run.
 * @param {Benchmark} run @param {BenchmarkRow} row
 */
export function rowName({ rows }, { engine, tokenizer }) {
  const hasEngines = rows.some(row => row.engine !== engine);
  const hasTokenizers = rows.some(row => row.tokenizer !== tokenizer);
  if (hasEngines && hasTokenizers) return `${engineName(engine)}, ${tokenizer}`;
  return hasTokenizers ? tokenizer : engineName(engine);
}

/** @param {Benchmark} run @returns {string} of the row that ratios divide by; empty without one */
export function baselineName(run) {
  const row = run.rows.find(({ key }) => key === (run.baseline ?? run.settings.baseline));
  return row ? rowName(run, row) : '';
}

/**
 * "warm, ids only, 1 thread"
 * @param {{temperature: string, shape: string, output: string, threads: number}} settings
 */
export const settingsWords = ({ temperature, shape, output, threads }) =>
  [TEMPERATURES[temperature], SHAPES[shape], OUTPUTS[output], plural(threads, 'thread')].join(', ');

/** "cl100k_base, warm, ids only, 1 thread · 15 rounds · 2.0 MB of 3.8 MB" @param {Benchmark} run */
export function runWords(run) {
  const tokenizers = tokenizersOf(run);
  const what = tokenizers.length === 1 ? `${tokenizers[0]}, ` : '';
  const { rounds_done: done, settings, state, text } = run;
  const rounds =
    done < settings.rounds
      ? `${done} of ${plural(settings.rounds, 'round')}${state === 'running' ? ' so far' : ''}`
      : plural(done, 'round');
  const whole = text.bytes + text.left_out_bytes;
  const part = text.left_out_bytes ? ` · only ${size(text.bytes)} of ${size(whole)}` : '';
  return `${what}${settingsWords(settings)} · ${rounds}${part}`;
}

/**
 * How the ids of a row compare with the reference.
 * @param {BenchmarkRow} row @returns {{words: string, className: string}}
 */
export function exactnessWords({ state, exactness, engine }) {
  if (state === 'inexact' && !exactness?.differing) return { words: 'IDs differ between rounds', className: 'inexact' };
  if (!exactness) return { words: 'Not checked', className: 'unchecked' };
  if (state === 'inexact' || exactness.differing)
    return { words: `${count(exactness.differing)} of ${count(exactness.documents)} differ`, className: 'inexact' };
  return { words: exactness.reference === engine ? 'Reference' : 'Exact', className: 'exact' };
}

/** @type {Object<string, string|undefined>} */
const STATES = { failed: 'Failed', timed_out: 'Took too long', cancelled: 'Not measured', inexact: 'IDs differ' };

/** What became of a row without figures. @param {BenchmarkRow} row */
export function stateWords({ state }) {
  return STATES[state] ?? '';
}

/**
 * Parts of what a job says: "round 3 of 15, about 20 s left".
 * @param {string} message
 * @returns {{step: string, left: string}}
 */
export function progressWords(message) {
  const [, step = message, left = ''] =
    /^(.*?),? ?((?:about |less than )?[\d. ]+ ?(?:s|min|h) left)$/.exec(message) ?? [];
  return { step: step.charAt(0).toUpperCase() + step.slice(1), left };
}
