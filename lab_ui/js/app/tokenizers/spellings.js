/**
 * How the vocabularies spell the tokens in the lanes. Entries are read when a token is drawn, those of one drawing
 * together, and the lanes are drawn again when they are there.
 */
import { learn } from './learn.js';
import { EntryLoader } from '../../api/entry_loader.js';
import { spellingOf } from '../../text/spelling.js';

export class Spellings {
  #context;
  #redraw;
  /** @type {Map<string, EntryLoader>} */
  #loaders = new Map();

  /**
   * @param {import('../context.js').Context} context
   * @param {() => void} redraw called when more is known
   */
  constructor(context, redraw) {
    this.#context = context;
    this.#redraw = redraw;
  }

  /**
   * @param {string} tokenizer
   * @param {import('../../text/token_spans.js').TokenSpans} tokens
   * @returns {(token: number) => string|null} null: it is on its way
   */
  of(tokenizer, tokens) {
    return token => {
      const entry = this.entry(tokenizer, tokens.ids.at(token));
      return entry && spellingOf(entry);
    };
  }

  /**
   * The entry of a token, to be written out of its lane.
   * @param {string} tokenizer
   * @param {number} id
   * @returns {import('../../api/schema.d.ts').VocabularyToken|null} null: it is on its way
   */
  entry(tokenizer, id) {
    const entry = this.#context.vocabulary.known(tokenizer, id);
    if (!entry) this.#loaderOf(tokenizer).want(id);
    return entry ?? null;
  }

  /** What could not be read before may be readable by now. */
  retry() {
    for (const loader of this.#loaders.values()) loader.retry();
  }

  destroy() {
    this.#redraw = () => {};
  }

  /** @param {string} tokenizer @returns {EntryLoader} */
  #loaderOf(tokenizer) {
    let loader = this.#loaders.get(tokenizer);
    if (!loader) {
      loader = new EntryLoader(
        ids => learn(this.#context, tokenizer, ids),
        () => this.#redraw(),
      );
      this.#loaders.set(tokenizer, loader);
    }
    return loader;
  }
}
