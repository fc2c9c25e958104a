/** The text in pieces of N tokens: marks in the text, how many pieces there are, and the list of them with copying. */
import { PiecesDialog } from '../chunks_dialog.js';
import { CutMarks } from '../../../editor/chunk_marks.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { h, listen, setText } from '../../../ui/dom.js';
import { count, plural } from '../../../util/format.js';
import { cutsEvery, everyOf, piecesOf } from '../../../text/chunks.js';

const MOST_COUNTED = 20_000; // cuts; more are not looked at one by one to see which fall into one character

export class Cuts {
  #lab;
  #text;
  #isCurrent;
  #answer = null;
  #dialog = new PiecesDialog();
  #marks = new CutMarks(k => this.#copyPiece(k));
  #switch = new ToggleSwitch();
  #every = h('input', {
    type: 'number',
    min: '1',
    step: '1',
    class: 'search-field mono every-field',
    'aria-label': 'Tokens between marks',
    'data-role': 'cut-every',
    oninput: () => this.#typed(),
  });
  #open = h(
    'button',
    {
      type: 'button',
      class: 'button',
      'data-role': 'pieces',
      title: 'Split the text into chunks of N tokens',
      onclick: () => this.open(),
    },
    'Chunks…',
  );

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {import('../../../editor/token_text.js').TokenText} text
   * @param {() => boolean} isCurrent whether the answer is of the text as it is
   */
  constructor(lab, text, isCurrent) {
    this.#lab = lab;
    this.#text = text;
    this.#isCurrent = isCurrent;
    this.element = h('span', { class: 'cut-tools' }, this.#switch, this.#every, this.#open);
    this.dialog = this.#dialog;
  }

  /** Once the text is in the page. */
  start() {
    const { state } = this.#lab;
    this.#switch.label = 'Mark every';
    this.#switch.hint = 'A mark in the text every N tokens';
    this.#text.addOverlay(this.#marks);
    listen(this.#switch, 'valuechange', showCuts => state.set({ showCuts }));
    listen(this.#dialog, 'every', cutEvery => state.set({ cutEvery }));
    listen(this.#dialog, 'copypieces', ({ text, words }) => this.#copy(text, words));
    this.apply();
  }

  /** After the state changed. */
  apply() {
    const { showCuts, cutEvery } = this.#lab.state;
    this.#switch.checked = showCuts;
    if (everyOf(this.#every.value) !== cutEvery) this.#every.value = String(cutEvery);
    this.#every.removeAttribute('aria-invalid');
    this.#marks.every = showCuts ? cutEvery : null;
    this.#text.relayOut();
    this.count();
  }

  /**
   * @param {Object|null} answer what Inspect shows now: at once, for its tokens are changed in place by the next edit
   */
  take(answer) {
    this.#answer = answer;
  }

  /** Says how many pieces there are, which is a look at the whole text. */
  count() {
    const { showCuts, cutEvery } = this.#lab.state;
    setText(this.#open, showCuts && this.#answer && this.#isCurrent() ? `${this.#piecesWords(cutEvery)}…` : 'Chunks…');
  }

  open() {
    if (this.#answer && this.#isCurrent())
      this.#dialog.show(this.#answer.tokens, String(this.#answer.text), this.#lab.state.cutEvery);
  }

  #typed() {
    const every = everyOf(this.#every.value);
    if (every === null) {
      this.#every.setAttribute('aria-invalid', 'true');
      return;
    }
    this.#lab.state.set({ cutEvery: every });
    this.apply();
  }

  #piecesWords(every) {
    const { tokens, text } = this.#answer;
    const most = Math.ceil(tokens.placedCount / every);
    if (most > MOST_COUNTED) return `up to ${count(most)} chunks`;
    return plural(text.length ? cutsEvery(tokens, String(text), every).cuts.length + 1 : 0, 'chunk');
  }

  /** The piece that ends before token `k` of those with a place, or in whose last character that token starts. */
  #copyPiece(k) {
    if (!this.#answer || !this.#isCurrent()) return;
    const { cutEvery } = this.#lab.state;
    const text = String(this.#answer.text);
    const { cuts } = cutsEvery(this.#answer.tokens, text, cutEvery);
    const marked = this.#marks.placeOf(k);
    const n = cuts.indexOf(marked);
    if (this.#text.changed || n < 0) return;
    this.#copy(piecesOf(text, cuts)[n], `Chunk ${count(n + 1)} of ${count(cuts.length + 1)} copied`);
  }

  async #copy(text, words) {
    const said = await this.#lab.copyText(text, words);
    this.#dialog.said = said === words ? 'Copied.' : said;
  }
}
