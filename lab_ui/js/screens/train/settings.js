/** The settings of Train: how its table is read, and what the next training learns from. */

/** The choices of `source` that are no corpus; those are `corpus:ID` and `practice:NAME`. */
export const FILES = '@files';
export const TEXT = '@text';

export const ORDERS = [
  { value: 'newest', label: 'Newest', hint: 'The last step first' },
  { value: 'first', label: 'First', hint: 'In the order in which they were made' },
];

export const SHARES = [
  { value: 0, label: 'Nothing' },
  { value: 0.01, label: '1 %' },
  { value: 0.05, label: '5 %' },
  { value: 0.1, label: '10 %' },
];

export const SAMPLES = [
  { value: 0, label: 'Everything' },
  { value: 1e6, label: 'A sample of 1 MB' },
  { value: 10e6, label: 'A sample of 10 MB' },
  { value: 100e6, label: 'A sample of 100 MB' },
  { value: 1e9, label: 'A sample of 1 GB' },
];

export const SMALLEST_SIZE = 1;
export const LARGEST_SIZE = 10_000_000;

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const SETTINGS = {
  order: { default: 'newest', oneOf: ['newest', 'first'], url: 'order' },
  /** Whether the table stays at the last step. */
  follow: { default: true },
  /** `practice:NAME`, `corpus:ID`, `FILES` or `TEXT`; null: the first practice corpus. */
  source: { default: null, url: 'source' },
  /** A path, folder or pattern per line, for `FILES`. */
  paths: { default: '' },
  /** The column of tables that holds the text; empty: found by itself. */
  column: { default: '' },
  heldOut: { default: 0.05, oneOf: SHARES.map(({ value }) => value) },
  sample: { default: 0, oneOf: SAMPLES.map(({ value }) => value) },
  invalid: { default: 'replace', oneOf: ['replace', 'skip'] },
  /** 0: as many as the machine has. */
  threads: { default: 0, allows: n => Number.isInteger(n) && n >= 0 && n <= 512 },
  /** Of the training; empty: made of what is trained on what. */
  name: { default: '' },
  preset: { default: null, url: 'preset' },
  /** Tokens of the vocabulary; 0: as the preset says. */
  size: { default: 0, allows: n => Number.isInteger(n) && n >= 0 && n <= LARGEST_SIZE, url: 'size' },
  /** What differs from the preset, by the name of the option. */
  details: { default: {} },
};
