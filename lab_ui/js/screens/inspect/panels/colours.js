/** What the colours of Inspect's tokens mean: the choice, its legend, and the classes of tokens. */
import { ColourLegend } from '../colour_legend.js';
import { h } from '../../../ui/dom.js';
import { Panel } from '../../../app/panel.js';
import { learn } from '../../../app/tokenizers/learn.js';
import { EntryLoader } from '../../../api/entry_loader.js';
import { COLOURS, legendOf, shadeOf } from '../../../text/token_colour.js';
import { line } from '../../../ui/form.js';

export class ColourPanel extends Panel {
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
      onchange: () => this.context.settings.set({ colourBy: this.#select.value }),
    },
    ...COLOURS.map(({ value, label }) => h('option', { value }, label)),
  );

  element = line('Colour by', this.#select);

  /** @param {() => void} recolour draws the tokens again: more is known of them, or another colour is chosen */
  constructor(recolour) {
    super();
    this.#recolour = recolour;
  }

  get legend() {
    return this.#legend;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#apply();
  }

  /**
   * What could not be read for the answer before may be readable by now.
   * @param {import('../selection.js').InspectAnswer|null} answer @param {boolean} isSettled
   */
  onAnswer(answer, isSettled) {
    if (answer && !isSettled) for (const loader of this.#loaders.values()) loader.retry();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (changed.has('colourBy') || changed.has('active')) this.#apply();
    if (changed.has('colourBy')) this.#recolour();
  }

  destroy() {
    this.#recolour = () => {};
  }

  /** Chooses the next colour mode, or the first one. */
  chooseNext() {
    const { settings } = this.context;
    const at = COLOURS.findIndex(({ value }) => value === settings.get('colourBy'));
    settings.set({ colourBy: COLOURS[(at + 1) % COLOURS.length].value });
  }

  #apply() {
    const { settings, catalog } = this.context;
    const colourBy = settings.get('colourBy');
    this.#select.value = colourBy;
    this.#legend.show(legendOf(colourBy, orderOf(catalog.entry(settings.get('active')))));
  }

  /**
   * @param {string} tokenizer
   * @param {import('../../../text/token_spans.js').TokenSpans} tokens
   * @param {{slice: (from: number, to: number) => string}} text
   * @returns {(token: number) => string} class of a token. What has to be asked for is asked for when a token is drawn
   */
  shade(tokenizer, tokens, text) {
    /** @param {number} id */
    const entryOf = id => {
      const entry = this.context.vocabulary.known(tokenizer, id);
      if (!entry) this.#loaderOf(tokenizer).want(id);
      return entry;
    };
    return shadeOf(this.context.settings.get('colourBy'), tokens, {
      entryOf,
      textOf: i => text.slice(tokens.start16.at(i), tokens.end16.at(i)),
    });
  }

  /** @param {string} tokenizer @returns {EntryLoader} */
  #loaderOf(tokenizer) {
    const known = this.#loaders.get(tokenizer);
    if (known) return known;
    const loader = new EntryLoader(
      ids => this.context.activity.track(this.#learn(tokenizer, ids)),
      () => {
        if (this.context.settings.get('active') === tokenizer) this.#recolour();
      },
    );
    this.#loaders.set(tokenizer, loader);
    return loader;
  }

  /** @param {string} tokenizer @param {number[]} ids */
  async #learn(tokenizer, ids) {
    await new Promise(resolve => {
      setTimeout(resolve);
    }); // after the drawing that asked
    return learn(this.context, tokenizer, ids);
  }
}

/** What a vocabulary is ordered by. @param {import('../../../api/schema.d.ts').CatalogEntry|null} entry */
function orderOf(entry) {
  const model = entry?.stages?.model ?? '';
  return /Unigram/.test(model) ? 'score' : /BPE/.test(model) ? 'rank' : 'none';
}
