/** The settings of Corpus: what the next analysis counts. */

/** How much of a corpus is counted: bytes by name. @type {{value: string, label: string, bytes: number|null}[]} */
export const SAMPLES = [
  { value: 'all', label: 'All of it', bytes: null },
  { value: '1MB', label: 'A sample of 1 MB', bytes: 1e6 },
  { value: '10MB', label: 'A sample of 10 MB', bytes: 1e7 },
  { value: '50MB', label: 'A sample of 50 MB', bytes: 5e7 },
  { value: '500MB', label: 'A sample of 500 MB', bytes: 5e8 },
];

/** Frequent tokens that the drawer lists, those with parts of characters among them. */
const SHOWN = 200;

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const SETTINGS = {
  sample: { default: 'all', oneOf: SAMPLES.map(({ value }) => value), url: 'sample' },
  /** The language that premium divides by; null: English, or the first. */
  reference: { default: null, url: 'reference' },
};

/**
 * The options of an analysis that the settings say.
 * @param {{get: (name: string) => any}} settings @param {{languages: string[], is_parallel: boolean}} corpus
 * @returns {{top: number, sample_bytes?: number, reference_language?: string}}
 */
export function optionsOf(settings, corpus) {
  const bytes = SAMPLES.find(({ value }) => value === settings.get('corpus.sample'))?.bytes ?? null;
  const reference = settings.get('corpus.reference');
  return {
    top: SHOWN,
    ...(bytes === null ? {} : { sample_bytes: bytes }),
    ...(corpus.is_parallel && corpus.languages.includes(reference) ? { reference_language: reference } : {}),
  };
}
