/**
 * What narrows a search: examples to try, kinds and scripts with their counts, and what is wrong with the search. Gets
 * `showExamples`, `showFacets` and `problem`; reports `example`, `kind` and `script` (detail: a name).
 */
import { kindWords, scriptWords } from '../../api/vocabulary_query.js';
import { h, listen, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { isSameSearch } from './example_searches.js';
import { FacetChips } from './facet_chips.js';
/** @import {Facets} from '../../api/schema.d.ts' */

/** @typedef {import('../../api/vocabulary_query.js').VocabularyQuery} Query */

export class FacetRows extends LabElement {
  #problem = h('p', { class: 'search-problem warning', role: 'alert', hidden: true, 'data-role': 'search-error' });
  #examples = new FacetChips();
  #kinds = new FacetChips();
  #scripts = new FacetChips();

  render() {
    this.classList.add('facet-rows');
    this.append(this.#problem, this.#examples, this.#kinds, this.#scripts);
    listen(this.#examples, 'facet', name => this.emit('example', name));
    listen(this.#kinds, 'facet', kind => this.emit('kind', kind));
    listen(this.#scripts, 'facet', script => this.emit('script', script));
  }

  /** @param {string} words why the search cannot be made; empty: it can */
  set problem(words) {
    this.#problem.hidden = !words;
    setText(this.#problem, words);
  }

  /** @param {{name: string, label: string, query: Query}[]} examples @param {Query} query what is searched for */
  showExamples(examples, query) {
    this.#examples.show(
      'Try',
      examples.map(({ name }) => ({ name, count: null })),
      examples.filter(example => isSameSearch(example.query, query)).map(({ name }) => name),
      name => examples.find(example => example.name === name)?.label ?? name,
    );
  }

  /** @param {Facets} facets @param {Query} query @param {string} model of the tokenizer */
  showFacets({ kinds, scripts }, query, model) {
    this.#kinds.show('Kind', byCount(kinds), query.kinds, kind => kindWords(kind, model));
    this.#scripts.show('Script', byCount(scripts), query.scripts, scriptWords);
  }
}

/** @template {{count: number}} Facet @param {Facet[]} list */
const byCount = list => list.toSorted((a, b) => b.count - a.count);

customElements.define('facet-rows', FacetRows);
