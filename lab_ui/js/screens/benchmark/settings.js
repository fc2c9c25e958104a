/** The settings of Benchmark: what the next run measures. */

/** The choice of `what` that takes the tokenizers in use and the engines of `engines`. */
export const OWN_CHOICE = 'own';
/** The choice of `text` that takes the text of Inspect and Compare. */
export const OPEN_TEXT = '@text';

export const TEMPERATURES = [
  { value: 'warm', label: 'Warm', hint: 'The same text again: caches are full' },
  { value: 'cold', label: 'Cold', hint: 'The first call of a tokenizer that was just loaded' },
  { value: 'first_pass', label: 'First pass', hint: 'A loaded tokenizer on text that it has not seen' },
];

export const OUTPUTS = [
  { value: 'ids', label: 'IDs', hint: 'IDs as the engine returns them' },
  { value: 'spans', label: 'Spans', hint: 'IDs and the span of each token' },
  { value: 'lists', label: 'Lists', hint: 'IDs as Python lists of int' },
];

export const SHAPES = [
  { value: 'whole', label: 'Whole text', hint: 'One call with the whole text' },
  { value: 'documents', label: 'Documents', hint: 'One call per document' },
  { value: 'batch', label: 'Batch', hint: 'One call with all documents' },
];

export const ROUNDS = [5, 15, 25, 50];
export const MEGABYTES = [0.1, 0.5, 2, 10];
const MOST_THREADS = 512;
const MOST_ENGINES = 32;
const BYTES = 1e6;

/** @param {{value: string}[]} options */
const valuesOf = options => options.map(({ value }) => value);

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const SETTINGS = {
  /** Name of a preset, or `OWN_CHOICE`. */
  what: { default: 'reference', url: 'what' },
  /** Id of a corpus, or `OPEN_TEXT`; null: the first corpus. */
  text: { default: null, url: 'text' },
  temperature: { default: 'warm', oneOf: valuesOf(TEMPERATURES), url: 'mode' },
  output: { default: 'ids', oneOf: valuesOf(OUTPUTS), url: 'output' },
  shape: { default: 'whole', oneOf: valuesOf(SHAPES), url: 'shape' },
  threads: { default: 1, allows: n => Number.isInteger(n) && n >= 1 && n <= MOST_THREADS, url: 'threads' },
  rounds: { default: 25, oneOf: ROUNDS, url: 'rounds' },
  megabytes: { default: 2, oneOf: MEGABYTES, url: 'megabytes' },
  /** Engines of `OWN_CHOICE`. */
  engines: { default: ['tokenlab'], url: 'engines', most: MOST_ENGINES },
};

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkPreset} Preset
 * @typedef {import('../../api/schema.d.ts').BenchmarkBody} BenchmarkOptions
 * @typedef {{get: (name: string) => any}} Settings
 */

/**
 * The subjects that the settings choose.
 * @param {Settings} settings @param {Preset[]} presets
 * @returns {{subjects: import('../../api/schema.d.ts').Subject[], baseline?: string, title?: string}}
 */
export function chosenSubjects(settings, presets) {
  const what = settings.get('benchmark.what');
  const preset = presets.find(({ name }) => name === what);
  if (preset && what !== OWN_CHOICE) {
    const { subjects, baseline, title } = preset;
    return { subjects, baseline, title };
  }
  /** @type {string[]} */
  const engines = settings.get('benchmark.engines');
  /** @type {string[]} */
  const chosen = settings.get('chosen');
  return {
    subjects: chosen.flatMap(tokenizer => engines.map(engine => ({ tokenizer, engine }))),
  };
}

/**
 * The options of a run that the settings say.
 * @param {Settings} settings @param {Preset[]} presets
 * @param {import('../../api/schema.d.ts').BenchmarkBody['source']} source
 * @returns {BenchmarkOptions}
 */
export function optionsOf(settings, presets, source) {
  return {
    ...chosenSubjects(settings, presets),
    source,
    temperature: settings.get('benchmark.temperature'),
    shape: settings.get('benchmark.shape'),
    output: settings.get('benchmark.output'),
    threads: settings.get('benchmark.threads'),
    rounds: settings.get('benchmark.rounds'),
    max_bytes: Math.round(settings.get('benchmark.megabytes') * BYTES),
  };
}
