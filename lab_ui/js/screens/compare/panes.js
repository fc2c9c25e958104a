/**
 * The three ways Compare shows its answer: lanes under the text, a column per tokenizer, a table of stretches. One of
 * them is in the page and drawn; the others are brought up to date when they are shown. What each looks like is theirs.
 */
import { SideBySide } from './side_by_side.js';
import { StretchTable } from './stretch_table.js';
import { all, h } from '../../ui/dom.js';
import { shadeOf } from '../../text/token_colour.js';

export const VIEWS = [
  { value: 'aligned', label: 'Aligned' },
  { value: 'side', label: 'Side by side' },
  { value: 'table', label: 'Table' },
];

/**
 * @typedef {import('../../text/session_types.js').Answer} Answer
 * @typedef {Answer & {divergences: import('../../text/divergences.js').Divergences, lanes: Lane[]}} CompareAnswer what
 *   the panels get
 * @typedef {import('./lanes.js').Lane} Lane
 */
export class Panes {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #text;
  #side = new SideBySide();
  #table = new StretchTable();
  /** @type {CompareAnswer|null} */
  #answer = null;
  /** The text of the answer; what is typed since is not in it. @type {import('../../../vendor/codemirror.js').Text} */
  #doc;
  /** What was drawn last. @type {{answer: CompareAnswer|null, wanted: string}|null} */
  #drawn = null;
  /** @type {'aligned'|'side'|'table'} */
  #view = 'aligned';
  /** What the pane is in. */
  element = h('div', { class: 'compare-pane' });
  /** @type {(type: string, detail: any) => void} told `tokenhover`, `tokenpick`, `scrolled`, `choose`, `showtext` */
  report = () => {};

  /**
   * @param {import('../../editor/token_text.js').TokenText} text with the lanes
   */
  constructor(text) {
    this.#text = text;
    this.element.append(text);
  }

  /** Called once, in the page, after the text was started. @param {import('../../app/context.js').Context} context */
  start(context) {
    this.#context = context;
    this.#side.start(context.nonce);
    this.#table.start();
    for (const pane of [this.#text, this.#side, this.#table])
      for (const type of ['tokenhover', 'tokenpick', 'scrolled', 'choose', 'showtext'])
        pane.addEventListener(type, event => this.report(type, /** @type {CustomEvent} */ (event).detail));
  }

  /** @param {'aligned'|'side'|'table'} view */
  set view(view) {
    if (view === this.#view) return;
    const { from, to } = this.shown;
    this.#view = view;
    this.element.replaceChildren(this.#pane);
    if (view === 'aligned') this.#text.resume();
    if (view === 'side') this.#side.resume();
    this.#draw();
    if (from > 0) this.reveal(Math.round((from + to) / 2));
  }
  get view() {
    return this.#view;
  }

  /** What is in the window. @returns {{from: number, to: number}} UTF-16 */
  get shown() {
    return this.#pane.shown;
  }

  /** Elements that a picture can be made of: all texts that are shown. */
  get texts() {
    return all(this.element, 'token-text');
  }

  /** @param {CompareAnswer|null} answer of the text as it is now, with its lanes */
  show(answer) {
    this.#answer = answer;
    this.#doc = this.#context.session.doc;
    this.#draw();
  }

  /** What the lanes show stays: it moves along with the text. */
  clear() {
    this.#answer = this.#drawn = null;
    this.#draw();
  }

  /** Draws again what stays the same but for how it looks. */
  redraw() {
    this.#drawn = null;
    this.#draw();
  }

  /** @param {Map<number, string>[]} marks per lane, a class by token number */
  mark(marks) {
    if (this.#view === 'aligned') this.#text.mark(marks);
    if (this.#view === 'side') this.#side.mark(marks);
  }

  /** @param {import('../../editor/line_layout.js').TextRange[]} ranges */
  set ranges(ranges) {
    this.#text.ranges = ranges;
    if (this.#view === 'side') this.#side.ranges = ranges;
  }

  /** @param {number} pos UTF-16 */
  reveal(pos) {
    this.#pane.reveal(pos);
  }

  /** Brings a divergence into the window. @param {number} number @param {number} pos where it starts */
  go(number, pos) {
    if (this.#view === 'table') this.#table.chosen = number;
    else this.reveal(pos);
  }

  /** Ends the texts of all panes but the one with the lanes. */
  destroy() {
    this.#side.destroy();
  }

  /** @returns {Promise<unknown>} settles when what was set is on the screen */
  drawn() {
    return this.#view === 'side' ? this.#side.drawn() : this.#text.drawn();
  }

  get #pane() {
    return { aligned: this.#text, side: this.#side, table: this.#table }[this.#view];
  }

  /**
   * Grey and coloured as in the lanes: a token has one hue in every column. Other modes colour as in Inspect.
   * @param {Lane} lane @param {string|import('../../text/text_slice.js').TextSlice} text
   */
  #shade({ tokens, shade }, text) {
    const mode = this.#context.settings.get('colourBy');
    if (mode === 'position') return shade;
    return shadeOf(mode, tokens, { textOf: i => text.slice(tokens.start16.at(i), tokens.end16.at(i)) });
  }

  #draw() {
    const answer = this.#answer;
    const { settings } = this.#context;
    const wanted = `${this.#view} ${settings.get('colourBy')}`;
    if (this.#view === 'aligned' || (this.#drawn?.answer === answer && this.#drawn.wanted === wanted)) return;
    this.#drawn = { answer, wanted };
    if (this.#view === 'side') {
      this.#side.switches = { labels: settings.get('showIds'), whiteSpace: settings.get('showWhiteSpace') };
      if (answer)
        this.#side.show(
          answer.lanes.map(lane => ({ ...lane, boundary: undefined, shade: this.#shade(lane, answer.text) })),
          this.#doc,
        );
      else this.#side.clear(this.#context.session.doc);
    } else if (answer) {
      this.#table.show({
        divergences: answer.divergences,
        lanes: answer.lanes,
        text: answer.text,
        bytes: answer.results[0].text_bytes,
      });
    } else {
      this.#table.clear();
    }
  }
}
