/** The tokens that were found, in a table; without any, what to do. */
import { parametersOf } from '../../../api/vocabulary_query.js';
import { Panel } from '../../../app/panel.js';
import { closest, h, setText } from '../../../ui/dom.js';
import { folding } from '../vocabulary_state.js';
import { VocabularyTable } from '../vocabulary_table.js';

const NOTHING = 'No matching tokens. Try a shorter search, ignore case, or clear filters.';
const NOTHING_LEFT = 'No token matches all of these filters.';

/** @typedef {import('../../../api/schema.d.ts').VocabularyPage} VocabularyPage */

export class RowsPanel extends Panel {
  table = new VocabularyTable();
  #empty = h('p', { class: 'empty-words dim', hidden: true });
  element = h('div', { class: 'vocabulary-work' }, this.table, this.#empty);
  #source;
  #screen;
  #knowsScores = false;
  /** What is listed, so that it is not listed from its beginning again. */
  #drawn = '';

  /**
   * @param {import('../vocabulary_source.js').VocabularySource} source
   * @param {{model: () => string, query: () => any, showError: (error: unknown) => void, openEntry: () => void}} screen
   *   `model`: kind of the tokenizer's model
   */
  constructor(source, screen) {
    super();
    this.#source = source;
    this.#screen = screen;
    this.table.start({ load: page => this.#load(page) });
    this.table.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !closest(event, '[data-row]')) return;
      event.preventDefault();
      screen.openEntry();
    });
  }

  /** Nothing of another tokenizer stays. */
  clear() {
    this.#drawn = '';
    this.#knowsScores = false;
    this.table.show({ rows: 0, unused: 0 }, []);
  }

  /** What heads the columns. @param {import('../../../api/vocabulary_query.js').VocabularyQuery} query */
  drawHead(query) {
    const model = this.#screen.model();
    // SentencePiece's own files have scores in place of merges.
    const known = this.#knowsScores ? 'scores' : /BPE/.test(model) ? 'merges' : 'plain';
    this.table.setHead(known, model, query.order, query.descending);
  }

  /** @param {VocabularyPage} page */
  note(page) {
    this.#knowsScores = page.tokens.some(token => token.score !== null);
  }

  /**
   * @param {VocabularyPage} page @param {import('../../../api/vocabulary_query.js').VocabularyQuery} query it answers
   * @param {boolean} keep there are new facts of what is listed already
   */
  show(page, query, keep) {
    // An answer with new facts may be the first to arrive, where it took the place of the one before it.
    const drawn = `${this.#source.of} ${parametersOf(query)}`;
    if (keep && drawn === this.#drawn) this.table.refresh(page.tokens);
    else this.table.show(folding(query, page), page.tokens);
    this.#drawn = drawn;
    this.#empty.hidden = page.total > 0;
    setText(this.#empty, query.q ? NOTHING : NOTHING_LEFT);
  }

  /** The search could not be made: that nothing was found is about another one. */
  refuse() {
    this.#empty.hidden = true;
  }

  /** @param {number} page of the rows */
  async #load(page) {
    try {
      return await this.context.activity.track(this.#source.rows(this.#screen.query(), page));
    } catch (error) {
      this.#screen.showError(error);
      throw error;
    }
  }
}
