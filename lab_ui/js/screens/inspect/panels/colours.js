/** What the colours of Inspect's tokens mean: the choice, its legend, and the classes of tokens. */
import { ColourLegend } from '../colour_legend.js';
import { h } from '../../../ui/dom.js';
import { EntryLoader } from '../../../api/entry_loader.js';
import { COLOURS, legendOf, shadeOf } from '../../../text/token_colour.js';

export class Colours {
  #lab;
  #recolour;
  /** @type {Map<string, EntryLoader>} */
  #loaders = new Map();
  #legend = new ColourLegend();
  #select = h(
    'select',
    {
      class: 'colour-choice',
      'aria-label': 'Colour by',
      title: 'Colour by (c)',
      'data-role': 'colour-by',
      onchange: () => this.#lab.state.set({ colourBy: this.#select.value }),
    },
    ...COLOURS.map(({ value, label }) => h('option', { value }, label)),
  );

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {() => void} recolour draws the tokens again: more is known of them
   */
  constructor(lab, recolour) {
    this.#lab = lab;
    this.#recolour = recolour;
    this.element = h('label', { class: 'colour-tools' }, h('span', { class: 'dim' }, 'Colour'), this.#select);
    this.legend = this.#legend;
  }

  /** The next choice, or the first one. */
  turn() {
    const { state } = this.#lab;
    const at = COLOURS.findIndex(({ value }) => value === state.colourBy);
    state.set({ colourBy: COLOURS[(at + 1) % COLOURS.length].value });
  }

  /** After the state changed. */
  apply() {
    const { state } = this.#lab;
    this.#select.value = state.colourBy;
    this.#legend.show(legendOf(state.colourBy, orderOf(state.entry(state.active))));
  }

  /**
   * @param {string} tokenizer
   * @param {import('../../../text/token_spans.js').TokenSpans} tokens
   * @param {{slice: (from: number, to: number) => string}} text
   * @returns {(token: number) => string} class of a token. What has to be asked for is asked for when a token is drawn
   */
  shade(tokenizer, tokens, text) {
    const entryOf = id => {
      const entry = this.#lab.vocabulary.known(tokenizer, id);
      if (!entry) this.#loaderOf(tokenizer).want(id);
      return entry;
    };
    return shadeOf(this.#lab.state.colourBy, tokens, {
      entryOf,
      textOf: i => text.slice(tokens.start16.at(i), tokens.end16.at(i)),
    });
  }

  /** Another answer came: what was not known may be by now. */
  retry() {
    for (const loader of this.#loaders.values()) loader.retry();
  }

  #loaderOf(tokenizer) {
    let loader = this.#loaders.get(tokenizer);
    if (!loader)
      this.#loaders.set(
        tokenizer,
        (loader = new EntryLoader(
          ids => this.#lab.activity.track(this.#learn(tokenizer, ids)),
          () => {
            if (this.#lab.state.active === tokenizer) this.#recolour();
          },
        )),
      );
    return loader;
  }

  async #learn(tokenizer, ids) {
    await new Promise(resolve => {
      setTimeout(resolve);
    }); // after the drawing that asked
    try {
      await this.#lab.vocabulary.entries(tokenizer, ids);
      return true;
    } catch (error) {
      this.#lab.showError(error);
      return false;
    }
  }
}

/** What a vocabulary is ordered by. */
function orderOf(entry) {
  const model = entry?.stages?.model ?? '';
  return /Unigram/.test(model) ? 'score' : /BPE/.test(model) ? 'rank' : 'none';
}
