/**
 * A search for a token or a word in a corpus, page by page. Knows nothing of the page of the lab.
 *
 * Reports `change` when any of it changed. What fails throws to the caller.
 */
import * as concordanceClient from '../../api/concordance.js';
import { Latest } from '../../util/latest.js';
import { count, plural, size } from '../../util/format.js';

/**
 * @typedef {import('../../api/schema.d.ts').Occurrence} Occurrence
 * @typedef {import('../../api/schema.d.ts').WordSegmentations} Segmentations
 * @typedef {{tokenizer: string, corpus: string} & import('../../api/concordance.js').Query} Wanted
 */
export class ConcordanceSearch extends EventTarget {
  #client;
  #asking = new Latest();
  /** @type {Wanted|null} */
  #wanted = null;
  /** What was found first; null: nothing was asked for, or no answer came yet. */
  found = /** @type {import('../../api/schema.d.ts').Concordance['found']|null} */ (null);
  /** @type {Occurrence[]} */
  occurrences = [];
  /** Of a word. @type {Segmentations|null} */
  segmentations = null;
  /** Where the next page starts; null: at the end of the corpus. @type {string|null} */
  next = null;
  /** Bytes that were read: pages overlap, so this is exact only while nothing is found. */
  searched = 0;

  /** @param {typeof concordanceClient} [client] */
  constructor(client = concordanceClient) {
    super();
    this.#client = client;
  }

  get isBusy() {
    return this.#asking.running;
  }

  /** Begins anew. @param {Wanted|null} wanted null: nothing */
  async start(wanted) {
    this.#wanted = wanted;
    this.found = this.segmentations = this.next = null;
    this.occurrences = [];
    this.searched = 0;
    if (wanted) await this.#ask(wanted, null);
    else this.stop();
  }

  /** Adds the next page. */
  async more() {
    if (this.#wanted && this.next !== null && !this.isBusy) await this.#ask(this.#wanted, this.next);
  }

  /** Ends what is asked for; what was found stays. */
  stop() {
    this.#asking.stop();
    this.#changed();
  }

  /** @param {Wanted} wanted @param {string|null} start */
  async #ask(wanted, start) {
    try {
      const asked = this.#asking.run(signal => {
        const page = this.#client.concordance({ ...wanted, start }, signal);
        const isFirst = start === null && 'word' in wanted;
        return Promise.all([page, isFirst ? this.#client.segmentations(wanted, signal) : this.segmentations]);
      });
      this.#changed();
      const answer = await asked;
      if (!answer) return;
      const [page, segmentations] = answer;
      this.found = page.found;
      this.occurrences = [...this.occurrences, ...page.occurrences];
      this.next = page.next;
      this.searched += page.searched_bytes;
      this.segmentations = segmentations;
    } finally {
      this.#changed();
    }
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}

/**
 * Says how many occurrences are shown, and whether they are all.
 * @param {{occurrences: Occurrence[], next: string|null, searched: number}} search
 * @param {number|null} counted by the analysis in the whole corpus; null: not known
 */
export function foundWords({ occurrences: { length: shown }, next, searched }, counted = null) {
  if (next === null) {
    if (!shown) return 'It does not occur in the corpus.';
    return shown === 1 ? 'The only occurrence' : `All ${plural(shown, 'occurrence')}`;
  }
  if (!shown) return `None in the first ${size(searched)}; the rest is not searched yet`;
  if (counted !== null && counted > shown) return `The first ${count(shown)} of ${plural(counted, 'occurrence')}`;
  return `The first ${plural(shown, 'occurrence')}; the rest is not searched yet`;
}
