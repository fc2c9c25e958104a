/**
 * The legend under the text: the marks that occur in it, each with a swatch. Marks that depend on the window are looked
 * for when the typing or the scrolling pauses. Once seen in a long text they stay, so that the legend does not come and
 * go.
 */
import { Panel } from '../../../app/panel.js';
import { dotsNote, legendEntries } from '../../../text/legend_entries.js';
import { LOOKED_AT, splitCharacter } from '../../../text/reading.js';
import { namesInWords } from '../../../text/short_name.js';
import { colourOf } from '../../../text/token_colour.js';
import { UNKNOWN } from '../../../text/token_spans.js';
import { nextWith, specialName } from '../../../text/unknown_tokens.js';
import { h, setText } from '../../../ui/dom.js';
import {
  addedSwatch,
  colourSwatch,
  dotsSwatch,
  drawLegend,
  hatchSwatch,
  legend,
  sharedSwatch,
  unknownSwatch,
  wordSwatch,
} from '../../../ui/tokens/legend.js';
import { Latest } from '../../../util/latest.js';
import { delay } from '../../../text/timing.js';

const FOLLOW_MS = 150;
/**
 * @typedef {import('../selection.js').InspectAnswer} InspectAnswer
 * @typedef {import('../selection.js').Shaded} Shaded
 * @typedef {import('../../../text/legend_entries.js').Drawn} Drawn
 */

/** @type {Drawn} */
const NONE = { dotted: 0, mixed: 0, dropped: 0 };

export class LegendPanel extends Panel {
  #text;
  #shadeOf;
  /** @type {InspectAnswer|null} */
  #answer = null;
  #seen = NONE;
  #looking = new Latest();
  #list = legend([]);
  #note = h('p', { class: 'legend-note dim', 'data-role': 'dots-note' });
  element = h('div', { class: 'text-legend empty' }, this.#list, this.#note);

  /**
   * @param {import('../../../editor/token_text.js').TokenText} text
   * @param {(answer: Shaded) => (token: number) => string} shadeOf returns the class of a token's colour
   */
  constructor(text, shadeOf) {
    super();
    this.#text = text;
    this.#shadeOf = shadeOf;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#text.addEventListener('scrolled', () => this.#look(FOLLOW_MS));
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (!answer || answer.tokenizer !== this.#answer?.tokenizer) this.forget();
    this.#answer = answer;
    if (!this.context.session.length) this.element.classList.add('empty');
    if (!isSettled) return;
    if (answer && answer.text.length <= LOOKED_AT) this.forget(); // a short text is in the window, or nearly
    this.#look(0);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (!['showIds', 'inspect.showChanges', 'colourBy', 'textSize', 'inspect.view'].some(name => changed.has(name)))
      return;
    this.forget();
    this.#look(0);
  }

  destroy() {
    this.#looking.stop();
    this.#answer = null;
  }

  /** The text is another one: what was seen in the one before does not count. */
  forget() {
    this.#seen = NONE;
  }

  /** @param {number} waitMs */
  #look(waitMs) {
    this.context.activity.track(
      this.#looking.run(async signal => {
        if (waitMs) await delay(waitMs, signal);
        await this.#text.drawn();
        if (!signal.aborted) this.#draw();
      }),
    );
  }

  #draw() {
    const { settings, catalog } = this.context;
    const answer = this.#answer;
    if (!answer) return; // what is there belongs to the text before, as its tokens do
    this.element.classList.toggle('empty', !answer.text.length);
    if (!answer.text.length || settings.get('inspect.view') !== 'text') return;
    const now = this.#text.drawnMarks;
    for (const name of /** @type {(keyof Drawn)[]} */ (Object.keys(NONE)))
      this.#seen = { ...this.#seen, [name]: Math.max(this.#seen[name], now[name]) };
    const entry = catalog.entry(answer.tokenizer);
    const entries = legendEntries(answer.result, this.#seen, {
      name: namesInWords([catalog.nameOf(answer.tokenizer)])[0],
      showIds: settings.get('showIds'),
      changes: settings.get('inspect.showChanges') && (entry?.changing_stages ?? []).length > 0,
    });
    drawLegend(
      this.#list,
      entries.map(({ mark, label }) => ({ swatch: this.#swatch(mark, answer, entry), label })),
    );
    setText(this.#note, settings.get('showIds') ? dotsNote(now.dotted) : '');
  }

  /**
   * @param {import('../../../text/legend_entries.js').Mark} mark @param {InspectAnswer} answer
   * @param {import('../../../text/unknown_tokens.js').Names} entry @returns {HTMLElement}
   */
  #swatch(mark, answer, entry) {
    const { tokens } = answer;
    const shade = this.#shadeOf(answer);
    /** @param {number} k of the tokens with a place */
    const colour = k => colourOf(shade(tokens.placed(k)));
    /** @param {number} i */
    const nameOf = i => specialName(entry, tokens.ids.at(i)) ?? String(tokens.ids.at(i));
    const { leading, trailing } = tokens;
    return {
      tokens: () => colourSwatch(colour(0), colour(1)),
      unknown: () => unknownSwatch(nameOf(nextWith(tokens, UNKNOWN, -1))),
      added: () => addedSwatch(nameOf(leading[0] ?? trailing[0])),
      shared: () => {
        const split = splitCharacter(tokens, answer.text.slice(0, LOOKED_AT));
        return split
          ? sharedSwatch(split.text, ...split.tokens.map(i => colourOf(shade(i))))
          : sharedSwatch('a', colour(0), colour(1));
      },
      mixed: () => hatchSwatch(colour(0)),
      dropped: () => h('span', { class: 'dropped-swatch' }),
      id: () => wordSwatch(String(tokens.ids.at(tokens.placed(0)))),
      dots: dotsSwatch,
      changed: () => h('span', { class: 'change-swatch' }, 'a'),
      lost: () => h('span', { class: 'change-swatch lost' }, 'a'),
    }[mark]();
  }
}
