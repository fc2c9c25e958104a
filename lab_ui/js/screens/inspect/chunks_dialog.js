/**
 * A text in pieces of N tokens. ARIA pattern: modal dialog. Gets `show`; reports `every` (detail: the number of tokens)
 * and `copypieces` (detail: `{text, message}`: one piece, or all as JSON, and the message if it was copied).
 */
import { LabElement } from '../../ui/element.js';
import { shortened } from '../../text/clusters.js';
import { dialog } from '../../ui/dialog.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { count, plural } from '../../util/format.js';
import { chunkBoundaries, everyOf, chunksOf } from '../../text/chunks.js';
import { NO_TOKENS } from '../../text/token_spans.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_SHOWN = 200;
const MOST_CHARACTERS = 120;

export class ChunksDialog extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  /** @type {HTMLInputElement} */
  #every;
  #summary = h('p', { class: 'dim', role: 'status', 'data-role': 'pieces-words' });
  #list = h('ol', { class: 'pieces', tabIndex: 0, 'aria-label': 'Chunks' });
  /** @type {HTMLButtonElement} */
  #copy;
  #message = h('span', { class: 'dim', role: 'status', 'data-role': 'pieces-message' });
  /** @type {string[]} */
  #pieces = [];
  #tokens = NO_TOKENS;
  #text = '';

  render() {
    this.#every = h('input', {
      type: 'number',
      min: '1',
      step: '1',
      autofocus: true,
      class: 'search-field mono',
      'data-role': 'pieces-every',
      oninput: () => this.#typed(),
    });
    this.#copy = actionButton(
      'Copy all chunks',
      () => this.emit('copypieces', { text: JSON.stringify(this.#pieces), message: 'All chunks copied' }),
      { class: 'button primary', 'data-role': 'copy-pieces' },
    );
    this.#dialog = dialog(
      { label: 'Chunks of the text', title: 'Chunks', class: 'pieces-dialog' },
      h(
        'div',
        { class: 'pieces-head' },
        h('label', {}, this.#every, ' tokens per chunk'),
        h('span', { class: 'grow' }),
        this.#message,
        this.#copy,
      ),
      this.#summary,
      this.#list,
    );
    this.append(this.#dialog);
  }

  /** @param {string} message whether copying worked */
  set message(message) {
    setText(this.#message, message);
  }

  /**
   * @param {import('../../text/token_spans.js').TokenSpans} tokens
   * @param {string} text
   * @param {number} every tokens
   */
  show(tokens, text, every) {
    this.#tokens = tokens;
    this.#text = text;
    this.#every.value = String(every);
    this.#draw();
    this.#dialog.showModal();
  }

  #typed() {
    const every = everyOf(this.#every.value);
    if (every !== null) this.emit('every', every);
    this.#draw();
  }

  #draw() {
    const every = everyOf(this.#every.value);
    const { boundaries, moved } = every
      ? chunkBoundaries(this.#tokens, this.#text, every)
      : { boundaries: [], moved: 0 };
    this.#pieces = every ? chunksOf(this.#text, boundaries) : [];
    this.message = '';
    this.#copy.disabled = !this.#pieces.length;
    setText(
      this.#summary,
      every
        ? [
            `${plural(this.#pieces.length, 'chunk')}, copied as a JSON array.`,
            moved ? `${plural(moved, 'chunk boundary', 'chunk boundaries')} moved to the start of a character.` : '',
            'A chunk encoded on its own may have different tokens.',
            this.#pieces.length > MOST_SHOWN ? `The first ${MOST_SHOWN} are listed.` : '',
          ]
            .filter(Boolean)
            .join(' ')
        : 'Write a whole number of tokens, 1 or more.',
    );
    this.#list.replaceChildren(...this.#pieces.slice(0, MOST_SHOWN).map((piece, n) => this.#item(piece, n)));
  }

  /** @param {string} piece @param {number} n */
  #item(piece, n) {
    const copy = actionButton(
      'Copy',
      () => this.emit('copypieces', { text: piece, message: `Chunk ${count(n + 1)} copied` }),
      { class: 'small-chip', 'aria-label': `Copy chunk ${n + 1}` },
    );
    return h(
      'li',
      {},
      h('span', { class: 'faint number' }, count(n + 1)),
      h(
        'span',
        {},
        h('bdi', { class: 'mono' }, ...visibleNodes(shortened(piece, MOST_CHARACTERS))),
        piece.length > MOST_CHARACTERS
          ? h('span', { class: 'faint number' }, ` … ${plural(piece.length, 'UTF-16 code unit')}`)
          : null,
      ),
      copy,
    );
  }
}

customElements.define('pieces-dialog', ChunksDialog);
