/** The settings of Inspect. */
import { USUAL_EVERY, everyOf } from '../../text/chunks.js';

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const INSPECT = {
  view: { default: 'text', oneOf: ['text', 'table', 'bytes', 'ids'], url: 'view' },
  /** Whether the steps of the tokenizer are shown over the text. */
  showSteps: { default: false, url: 'steps' },
  showMeter: { default: false },
  /** Size of a context window in tokens, as typed. */
  contextSize: { default: '' },
  /** Price of a million tokens, as typed. */
  price: { default: '' },
  /** Whether what the normalizer removed and added is shown under the text. */
  showChanges: { default: false, url: 'changes' },
  /** Whether the text has a mark every `chunkSize` tokens. */
  showChunks: { default: false, url: 'chunks' },
  chunkSize: { default: USUAL_EVERY, allows: every => everyOf(every) !== null, url: 'every' },
};
