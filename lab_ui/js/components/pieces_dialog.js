/** A text in pieces of N tokens. ARIA pattern: modal dialog. Gets `show`; reports `copy` (detail: the pieces as JSON). */
import { h, setText } from '../lib/dom.js';
import { count, plural } from '../lib/format.js';
import { cutsEvery, piecesOf } from '../lib/pieces.js';
import { visibleNodes } from './token_spans_text.js';

const MOST_SHOWN = 200, MOST_CHARACTERS = 120;

export class PiecesDialog extends HTMLElement {
  #dialog; #every; #words = h('p', { class: 'dim', role: 'status', 'data-role': 'pieces-words' }); #list = h('ol', { class: 'pieces', tabIndex: 0, 'aria-label': 'Pieces' }); #copy; #said = h('span', { class: 'dim', role: 'status', 'data-role': 'pieces-said' }); #pieces = []; #tokens = null; #text = '';

  connectedCallback() {
    if (this.firstChild) return;
    this.#every = h('input', { type: 'number', min: '1', step: '1', value: '256', class: 'search-field mono', 'data-role': 'pieces-every', oninput: () => this.#draw() });
    this.#copy = h('button', { type: 'button', class: 'button primary', 'data-role': 'copy-pieces', onclick: () => this.dispatchEvent(new CustomEvent('copy', { detail: JSON.stringify(this.#pieces), bubbles: true })) }, 'Copy the pieces');
    this.#dialog = h('dialog', { class: 'pieces-dialog', 'aria-label': 'The text in pieces' },
      h('div', { class: 'pieces-head' }, h('label', {}, 'A piece every ', this.#every, ' tokens'), h('span', { class: 'grow' }), this.#said, this.#copy, h('button', { type: 'button', class: 'button framed', onclick: () => this.#dialog.close() }, 'Close the pieces')),
      this.#words, this.#list);
    this.append(this.#dialog);
  }

  /** @param {string} words what became of copying */
  set said(words) { setText(this.#said, words); }

  /** @param {import('../lib/token_spans.js').TokenSpans} tokens @param {string} text */
  show(tokens, text) {
    this.#tokens = tokens;
    this.#text = text;
    this.#draw();
    this.#dialog.showModal();
  }

  #draw() {
    const every = Number(this.#every.value), right = Number.isInteger(every) && every >= 1;
    const { cuts, moved } = right ? cutsEvery(this.#tokens, this.#text, every) : { cuts: [], moved: 0 };
    this.#pieces = right ? piecesOf(this.#text, cuts) : [];
    this.said = '';
    this.#copy.disabled = !this.#pieces.length;
    setText(this.#words, right ? [
      `${plural(this.#pieces.length, 'piece')}, copied as a JSON array.`,
      moved ? `${plural(moved, 'cut')} inside of a character: made before it.` : '',
      'A piece that is encoded by itself may give other tokens.',
      this.#pieces.length > MOST_SHOWN ? `The first ${MOST_SHOWN} are listed.` : '',
    ].filter(Boolean).join(' ') : 'Write a whole number of tokens, 1 or more.');
    this.#list.replaceChildren(...this.#pieces.slice(0, MOST_SHOWN).map(piece => h('li', {}, h('bdi', { class: 'mono' }, ...visibleNodes(piece.slice(0, MOST_CHARACTERS))), piece.length > MOST_CHARACTERS ? h('span', { class: 'faint number' }, ` … ${count(piece.length)} in all`) : null)));
  }
}

customElements.define('pieces-dialog', PiecesDialog);
