/** The setup of the next training: its choices, what is missing, and the request. Knows nothing of the page. */
import { textSize, withoutPractice } from '../../api/corpora.js';
import { count, size } from '../../util/format.js';
import { FILES, SMALLEST_SIZE, TEXT } from './settings.js';
import { DETAILS, detailProblem, detailsWith, otherOptions } from './train_details.js';
import { isByteLevel } from './train_words.js';

const BYTES = 256;

/**
 * @typedef {import('../../api/trainings.js').TrainingBody} TrainingBody
 * @typedef {import('../../api/schema.d.ts').TrainingChoices} TrainingOptions
 * @typedef {import('../../api/schema.d.ts').Preset} TrainingPreset
 * @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus
 * @typedef {{source: string|null, paths: string, column: string, heldOut: number, sample: number, invalid: string,
 *   threads: number, name: string, preset: string|null, size: number, details: Object<string, any>}} Values of the
 *   settings
 * @typedef {TrainingOptions & {corpora: Corpus[]}} Offered
 * @typedef {{source?: string, size?: string, details?: string, start?: string, fields?: Object<string, string>}}
 *   Problems in words, by the part of the form that they belong to; `fields`: by the name of an option in Details
 */

/** The algorithms of the first row; those of `more` share the last one. */
export const FAMILIES = [
  { value: 'bpe', label: 'BPE', hint: 'Merges the most frequent pair, again and again' },
  { value: 'wordpiece', label: 'WordPiece', hint: 'Merges the most frequent pair; ## marks parts inside of words' },
  {
    value: 'unigram',
    label: 'Unigram',
    hint: 'Starts with a large vocabulary and removes the tokens that matter least',
  },
  { value: 'more', label: 'More…', hint: 'Whole words, characters' },
];

/** @param {TrainingPreset|null} preset @returns {string} */
export const algorithmOf = preset => preset?.options.algorithm ?? '';

/** The family of an algorithm. @param {string} algorithm */
export const familyOf = algorithm => (FAMILIES.some(({ value }) => value === algorithm) ? algorithm : 'more');

/** @param {TrainingPreset[]} presets @param {string} family */
export const presetsOf = (presets, family) => presets.filter(each => familyOf(algorithmOf(each)) === family);

/** The preset that is chosen, or the first one of the algorithm. @param {Offered} offered @param {Values} values */
export const presetOf = ({ presets }, { preset, details: { algorithm } }) =>
  presets.find(({ name }) => name === preset) ??
  presets.find(each => algorithmOf(each) === algorithm) ??
  presets[0] ??
  null;

/**
 * Options of the preset, with those that the form does not show.
 * @param {TrainingPreset|null} preset @param {Values} values
 */
const shapeOf = (preset, { details }) => ({ ...preset?.options, ...otherOptions(details) });

/** The details that can be chosen. @param {TrainingPreset|null} preset @param {Values} values */
export const detailsOf = (preset, values) => detailsWith(shapeOf(preset, values));

/** The size of the vocabulary. @param {TrainingPreset|null} preset @param {Values} values */
export const sizeOf = (preset, { size: own }) => own || (preset?.options.vocab_size ?? 0);

/**
 * The sources that can be chosen, with their labels.
 * @param {Offered} offered @returns {{value: string, label: string}[]}
 */
export const sourceChoices = ({ practice, corpora }) => [
  ...practice.map(({ name, title, bytes }) => ({ value: `practice:${name}`, label: `${title}, ${size(bytes)}` })),
  ...withoutPractice(corpora, practice).map(corpus => ({
    value: `corpus:${corpus.id}`,
    label: `${corpus.title}, ${size(textSize(corpus))}`,
  })),
  { value: FILES, label: 'Files and folders…' },
  { value: TEXT, label: 'Text…' },
];

/** The source that is chosen, or the first. @param {Offered} offered @param {Values} values */
export function sourceOf(offered, { source }) {
  const choices = sourceChoices(offered);
  return choices.some(({ value }) => value === source) ? /** @type {string} */ (source) : choices[0].value;
}

/** @param {string} paths one per line @returns {string[]} */
export const pathsOf = paths =>
  paths
    .split('\n')
    .map(path => path.trim())
    .filter(Boolean);

/**
 * @param {Offered} offered @param {Values} values @param {string} text that was typed, for `TEXT`
 * @returns {import('../../api/trainings.js').TrainingSource[]}
 */
function sourcesOf(offered, values, text) {
  const source = sourceOf(offered, values);
  if (source === TEXT) return [{ kind: 'text', text, name: 'Text' }];
  if (source === FILES)
    return pathsOf(values.paths).map(path => ({ kind: 'path', path, column: values.column.trim() || null }));
  const [, kind, name] = /^(practice|corpus):(.*)$/.exec(source) ?? [];
  return [{ kind: /** @type {'practice'|'corpus'} */ (kind), name }];
}

/** Options that differ from the preset. @param {TrainingPreset|null} preset @param {Values} values */
function ownOptions(preset, values) {
  const known = detailsOf(preset, values).map(({ name }) => name);
  const others = otherOptions(values.details);
  const details = Object.fromEntries(
    Object.entries(values.details).filter(([name]) => known.includes(name) || name in others),
  );
  return values.size ? { ...details, vocab_size: values.size } : details;
}

/**
 * The request that the settings say.
 * @param {Offered} offered @param {Values} values @param {string} text @returns {TrainingBody}
 */
export function bodyOf(offered, values, text) {
  const preset = presetOf(offered, values);
  return {
    name: values.name.trim() || null,
    sources: sourcesOf(offered, values, text),
    held_out: values.heldOut ? { share: values.heldOut } : null,
    preset: preset?.name ?? null,
    options: ownOptions(preset, values),
    sample_bytes: values.sample || null,
    threads: values.threads || null,
    invalid: /** @type {'replace'|'skip'} */ (values.invalid),
  };
}

/**
 * What keeps a training from being started, as far as the page knows.
 * @param {Offered} offered @param {Values} values @param {string} text @returns {Problems}
 */
export function problemsOf(offered, values, text) {
  const preset = presetOf(offered, values);
  const source = sourceOf(offered, values);
  /** @type {Problems} */
  const problems = {};
  if (!preset) problems.start = 'The backend offers no way to train. Update the lab.';
  if (source === FILES && !pathsOf(values.paths).length)
    problems.source = 'Write the path of a file or a folder, one per line.';
  if (source === TEXT && !text.trim()) problems.source = 'Type or paste a text to learn from.';
  const wanted = sizeOf(preset, values);
  const least = smallestSize(preset, values);
  if (wanted < least)
    problems.size =
      `A vocabulary of ${count(wanted)} has no room for ${leastWords(preset, values)}. ` +
      `Take ${count(least)} or more.`;
  const fields = detailsOf(preset, values)
    .filter(({ name }) => name in values.details)
    .map(detail => [detail.name, detailProblem(detail, values.details[detail.name])])
    .filter(([, words]) => words);
  if (fields.length) problems.fields = Object.fromEntries(fields);
  return problems;
}

/** @param {TrainingPreset|null} preset @param {Values} values */
const specialsOf = (preset, { details }) => details.special_tokens ?? preset?.options.special_tokens ?? [];

/** @param {TrainingPreset|null} preset @param {Values} values */
function smallestSize(preset, values) {
  const specials = specialsOf(preset, values).length;
  return isByteLevel(shapeOf(preset, values)) ? BYTES + specials : Math.max(SMALLEST_SIZE, specials + 1);
}

/** @param {TrainingPreset|null} preset @param {Values} values */
function leastWords(preset, values) {
  const specials = specialsOf(preset, values).length;
  const parts = [
    isByteLevel(shapeOf(preset, values)) ? 'the 256 bytes' : 'a token',
    specials ? `${count(specials)} special ${specials === 1 ? 'token' : 'tokens'}` : '',
  ];
  return parts.filter(Boolean).join(' and ');
}

/**
 * The part of the form that an error of the backend belongs to.
 * @param {{message: string, hint?: string|null}} error @returns {keyof Problems}
 */
export function placeOf({ message, hint }) {
  if (/vocab_size|vocabulary size|alphabet has|too small/i.test(message)) return 'size';
  if (/corpus|file|folder|path|column|director|text is empty|permission/i.test(message)) return 'source';
  if (DETAILS.some(({ name }) => `${message} ${hint ?? ''}`.includes(name))) return 'details';
  return /files/.test(hint ?? '') ? 'source' : 'start'; // "/data/a.txt is not text", "add files of text"
}

/**
 * The settings that a training was started with, to change and repeat it.
 * @param {TrainingBody} body
 * @returns {{values: Partial<Values>, text: string|null}} `text`: of a text that was typed
 */
export function valuesOf(body) {
  const { sources, name, held_out: heldOut, preset, options, sample_bytes: sample, threads, invalid } = body;
  const { vocab_size: wanted, ...details } = options;
  const [first] = sources;
  /** @type {Partial<Values>} */
  const values = {
    preset,
    name: name ?? '',
    size: wanted ?? 0,
    details,
    threads: threads ?? 0,
    invalid,
    sample: sample ?? 0,
  };
  if (!heldOut) values.heldOut = 0;
  else if (heldOut.share) values.heldOut = heldOut.share;
  if (first?.kind === 'path') {
    values.source = FILES;
    values.paths = sources.map(({ path }) => path).join('\n');
    values.column = first.column ?? '';
  } else if (first) values.source = first.kind === 'text' ? TEXT : `${first.kind}:${first.name}`;
  return { values, text: first?.kind === 'text' ? (first.text ?? '') : null };
}
