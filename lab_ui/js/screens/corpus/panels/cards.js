/** A card for each tokenizer: of the analysis that is shown, and of those in use that it has not counted. */
import { Panel } from '../../../app/panel.js';
import { ratioWords } from '../corpus_words.js';
import { FactCards } from '../fact_cards.js';

export class CardsPanel extends Panel {
  element = new FactCards();

  /** @param {import('../corpus_data.js').Told} told */
  onResult({ analysis, shown, before, corpus }) {
    const { catalog } = this.context;
    const counted = shown?.tokenizers ?? [];
    this.element.hidden = !shown;
    /** @param {string} id */
    const isNew = id => corpus !== null && !counted.some(one => one.id === id);
    const uncounted = catalog.chosen.filter(isNew);
    this.element.cards = [
      ...counted.map(tokenizer => ({
        ...tokenizer,
        difference: ratioWords(analysis?.token_ratios, counted[0], tokenizer),
        before:
          before &&
          (before.tokenizers.find(result => result.tokenizer === tokenizer.id) ?? /** @type {const} */ ('none')),
      })),
      ...uncounted.map(id => ({
        id,
        name: catalog.nameOf(id),
        letter: catalog.letterOf(id),
        result: null,
        before: null,
      })),
    ];
  }
}
