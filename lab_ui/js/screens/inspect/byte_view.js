/**
 * The bytes of a text, sixteen a row, in the colours of the tokens that hold them. Gets `show`; reports `choose`
 * (detail: a token's number).
 */
import { LabElement } from '../../ui/element.js';
import { hexByte } from '../../util/format.js';
import { closest, h } from '../../ui/dom.js';
import { NO_TOKENS, UNKNOWN } from '../../text/token_spans.js';
import { VirtualList } from '../../ui/virtual_list.js';

const PER_ROW = 16;
const ROW = 26;

export class ByteView extends LabElement {
  #list = new VirtualList();
  #bytes = new Uint8Array(0);
  #tokens = NO_TOKENS;
  #chosen = -1;

  render() {
    this.append(this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Bytes of the text, sixteen a row', drawRow: row => this.#row(row) });
    this.addEventListener(
      'click',
      event => {
        const token = closest(event, '[data-token]')?.dataset.token;
        if (token !== undefined) this.emit('choose', Number(token));
      },
      true,
    );
  }

  /** @param {import('../../text/token_spans.js').TokenSpans} tokens @param {string} text */
  show(tokens, text) {
    this.#tokens = tokens;
    this.#bytes = new TextEncoder().encode(text);
    this.#list.count = Math.ceil(this.#bytes.length / PER_ROW);
  }

  /** @param {number} token -1: none */
  set chosen(token) {
    this.#chosen = token;
    if (token >= 0 && token < this.#tokens.length)
      this.#list.chosen = Math.floor(this.#tokens.start8.at(token) / PER_ROW);
    this.#list.redraw();
  }

  /** @param {number} row */
  #row(row) {
    const from = row * PER_ROW;
    const bytes = this.#bytes.subarray(from, from + PER_ROW);
    const tokens = this.#tokens;
    /** @type {HTMLElement[]} */
    const cells = [];
    let k = tokens.firstEndingAfterByte(from);
    bytes.forEach((byte, n) => {
      const at = from + n;
      while (k < tokens.placedCount && tokens.end8.at(tokens.placed(k)) <= at) k++;
      const token = k < tokens.placedCount && tokens.start8.at(tokens.placed(k)) <= at ? tokens.placed(k) : -1;
      const cell = h('span', { class: 'hex' }, hexByte(byte));
      if (token >= 0) {
        cell.classList.toggle('first', tokens.start8.at(token) === at);
        cell.classList.toggle('on', token === this.#chosen);
        cell.dataset.token = String(token);
        if (tokens.has(token, UNKNOWN)) cell.classList.add('unknown');
        else cell.style.backgroundColor = `var(--t${tokens.turn(token, 4)})`;
      }
      cells.push(cell);
    });
    return [
      h('span', { role: 'gridcell', class: 'hex-offset number' }, String(from)),
      h('span', { role: 'gridcell', class: 'hex-bytes' }, ...cells),
      h(
        'span',
        { role: 'gridcell', class: 'hex-text' },
        [...bytes].map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
      ),
    ];
  }
}

customElements.define('byte-view', ByteView);
