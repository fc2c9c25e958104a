/** The text in chunks of N tokens: marks in the text, the number of chunks, and the list of them with copying. */
import { Panel } from '../../../app/panel.js';
import { ChunksDialog } from '../chunks_dialog.js';
import { ChunkMarks } from '../../../editor/chunk_marks.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { actionButton, h, listen, setText } from '../../../ui/dom.js';
import { count, plural } from '../../../util/format.js';
import { chunkBoundaries, everyOf, chunksOf } from '../../../text/chunks.js';

const MOST_COUNTED = 20_000; // chunk ends; of more it is not checked which of them fall into one character

export class ChunkPanel extends Panel {
  #text;
  #isCurrent;
  /** @type {import('../selection.js').InspectAnswer|null} */
  #answer = null;
  #marks = new ChunkMarks(k => this.#copyChunk(k));
  #switch = new ToggleSwitch();
  #every = h('input', {
    type: 'number',
    min: '1',
    step: '1',
    class: 'search-field mono every-field',
    'aria-label': 'Tokens between marks',
    'data-role': 'chunk-size',
    oninput: () => this.#typed(),
  });
  #open = actionButton('Chunks…', () => this.open(), {
    class: 'button',
    'data-role': 'pieces',
    title: 'Split the text into chunks of N tokens',
  });
  element = h('span', { class: 'chunk-tools' }, this.#switch, this.#every, this.#open);
  dialog = new ChunksDialog();

  /**
   * @param {import('../../../editor/token_text.js').TokenText} text
   * @param {() => boolean} isCurrent whether the answer is of the text as it is
   */
  constructor(text, isCurrent) {
    super();
    this.#text = text;
    this.#isCurrent = isCurrent;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { settings } = context;
    this.#switch.label = 'Mark every';
    this.#switch.name = 'Mark every N tokens';
    this.#switch.hint = 'A mark in the text every N tokens';
    this.#text.addOverlay(this.#marks);
    listen(this.#switch, 'valuechange', shown => settings.set({ 'inspect.showChunks': shown }));
    listen(this.dialog, 'every', every => settings.set({ 'inspect.chunkSize': every }));
    listen(this.dialog, 'copypieces', ({ text, message }) => this.#copy(text, message));
    this.#apply();
  }

  /**
   * The answer is kept at once, as the next edit changes its tokens in place; counting the chunks reads all of them.
   * @param {import('../selection.js').InspectAnswer|null} answer @param {boolean} isSettled
   */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (isSettled) this.#count();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (changed.has('inspect.showChunks') || changed.has('inspect.chunkSize')) this.#apply();
  }

  open() {
    if (this.#answer && this.#isCurrent())
      this.dialog.show(this.#answer.tokens, String(this.#answer.text), this.#chunkSize);
  }

  get #isShown() {
    return this.context.settings.get('inspect.showChunks');
  }
  get #chunkSize() {
    return this.context.settings.get('inspect.chunkSize');
  }

  #apply() {
    this.#switch.checked = this.#isShown;
    if (everyOf(this.#every.value) !== this.#chunkSize) this.#every.value = String(this.#chunkSize);
    this.#every.removeAttribute('aria-invalid');
    this.#marks.every = this.#isShown ? this.#chunkSize : null;
    this.#text.relayOut();
    this.#count();
  }

  #count() {
    setText(
      this.#open,
      this.#isShown && this.#answer && this.#isCurrent() ? `${this.#chunksWords(this.#answer)}…` : 'Chunks…',
    );
  }

  #typed() {
    const every = everyOf(this.#every.value);
    if (every === null) {
      this.#every.setAttribute('aria-invalid', 'true');
      return;
    }
    this.context.settings.set({ 'inspect.chunkSize': every });
    this.#apply();
  }

  /** @param {import('../selection.js').InspectAnswer} answer */
  #chunksWords({ tokens, text }) {
    const every = this.#chunkSize;
    const most = Math.ceil(tokens.placedCount / every);
    if (most > MOST_COUNTED) return `up to ${count(most)} chunks`;
    return plural(text.length ? chunkBoundaries(tokens, String(text), every).boundaries.length + 1 : 0, 'chunk');
  }

  /**
   * The chunk that ends before token `k` of those with a place, or in whose last character that token starts.
   * @param {number} k
   */
  #copyChunk(k) {
    if (!this.#answer || !this.#isCurrent()) return;
    const text = String(this.#answer.text);
    const { boundaries } = chunkBoundaries(this.#answer.tokens, text, this.#chunkSize);
    const n = boundaries.indexOf(this.#marks.placeOf(k) ?? -1);
    if (n < 0) return;
    this.#copy(chunksOf(text, boundaries)[n], `Chunk ${count(n + 1)} of ${count(boundaries.length + 1)} copied`);
  }

  /** @param {string} text @param {string} message */
  async #copy(text, message) {
    const shown = await this.context.clipboard.copy(text, message);
    this.dialog.message = shown === message ? 'Copied.' : shown;
  }
}
