/**
 * The ids of a text, and what pasted ids decode to. Gets `show` (the ids of the text) and `decoded` (an answer); reports
 * `decode` (detail: ids to decode) and `usetext` (detail: a text to take over).
 */
import { count, hexByte, bytesOfHex, plural } from '../lib/format.js';
import { h, setText } from '../lib/dom.js';
import { visibleNodes } from './token_spans_text.js';

const MOST_SHOWN = 20_000;

export class IdView extends HTMLElement {
  /** @type {Uint32Array} */
  #ids = new Uint32Array(0);
  #area; #note = h('p', { class: 'dim' }); #out = h('output', { class: 'decoded' }); #use; #own = true; #text = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.#area = h('textarea', { class: 'mono', id: 'ids', rows: 8, spellcheck: false, 'data-role': 'ids', oninput: () => this.#edited() });
    this.#use = h('button', { type: 'button', class: 'button framed', hidden: true, onclick: () => this.dispatchEvent(new CustomEvent('usetext', { detail: this.#text, bubbles: true })) }, 'Use as the text');
    this.append(
      h('div', { class: 'id-head' }, h('label', { for: 'ids' }, 'Ids of the text. Paste others to decode them.'), h('span', { class: 'grow' }),
        h('button', { type: 'button', class: 'button framed', onclick: () => navigator.clipboard.writeText(Array.from(this.#ids).join(', ')) }, 'Copy all'),
        h('button', { type: 'button', class: 'button framed', onclick: () => { this.#own = true; this.#fill(); } }, 'Ids of the text')),
      this.#area, this.#note, h('h2', {}, 'Decoded'), this.#out, h('div', {}, this.#use));
  }

  /** @param {Uint32Array} ids */
  show(ids) {
    this.#ids = ids;
    if (this.#own) this.#fill();
  }

  /** @param {{text?: string|null, bytes?: string, message?: string, hint?: string}} answer a text, or why there is none */
  set decoded(answer) {
    this.#text = answer.text ?? null;
    this.#use.hidden = this.#own || this.#text === null;
    if (answer.message) this.#out.replaceChildren(h('span', { class: 'warning' }, answer.message), h('div', { class: 'dim' }, answer.hint ?? ''));
    else if (answer.text === null) this.#out.replaceChildren(h('span', { class: 'dim' }, 'These bytes are no whole characters: '), h('span', { class: 'mono' }, [...bytesOfHex(answer.bytes)].map(hexByte).join(' ')));
    else this.#out.replaceChildren(...answer.text.split('\n').map(line => h('div', {}, ...visibleNodes(line.slice(0, MOST_SHOWN)))));
  }

  #fill() {
    const shown = this.#ids.subarray(0, MOST_SHOWN);
    this.#area.value = shown.join(', ');
    setText(this.#note, this.#ids.length > MOST_SHOWN ? `The first ${count(MOST_SHOWN)} of ${plural(this.#ids.length, 'id')}; "Copy all" copies every one.` : plural(this.#ids.length, 'id'));
    this.#ask([...shown]);
  }

  #edited() {
    this.#own = false;
    const words = this.#area.value.match(/[^\s,;[\]()]+/g) ?? [], wrong = words.find(word => !/^\d{1,10}$/.test(word));
    if (wrong !== undefined) {
      setText(this.#note, `"${wrong}" is no id: ids are whole numbers, with spaces or commas between them.`);
      return;
    }
    setText(this.#note, plural(words.length, 'id'));
    this.#ask(words.map(Number));
  }

  #ask(ids) { this.dispatchEvent(new CustomEvent('decode', { detail: ids, bubbles: true })); }
}

customElements.define('id-view', IdView);
