/**
 * A compared text as a table: a row for each stretch on which tokenizers differ, with every tokenizer's tokens and
 * their ids, and one grey row for each stretch between them. Gets `start`, `show` and `chosen`; reports `choose`
 * (detail: number of a divergence, -1 for a grey row), `showtext` (detail: a position in the text) and `scrolled`.
 */
import { LabElement } from '../../ui/element.js';
import { Clusters, shortened } from '../../text/clusters.js';
import { UNKNOWN } from '../../text/token_spans.js';
import { closest, h, listen } from '../../ui/dom.js';
import { count, plural } from '../../util/format.js';
import { NO_TEXT } from './divergence_list.js';
import { NO_DIVERGENCES } from '../../text/divergences.js';
import { Stretches } from './stretches.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { tokenSpansText, visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { VirtualList } from '../../ui/virtual_list.js';

const ROW = 50;
const MOST_CHARACTERS = 40;
const MOST_IDS = 12;
const CONTEXT = 32;
const AGREED = 120;
const NO_STRETCHES = new Stretches(NO_DIVERGENCES, 0, 0);

/** @typedef {import('./lanes.js').Lane} Lane @typedef {import('./stretches.js').Stretch} Stretch */

export class StretchTable extends LabElement {
  #head = h('div', { class: 'stretch-row table-head', role: 'row', 'aria-rowindex': '1' });
  #empty = h('p', { class: 'empty-note', hidden: true }, NO_TEXT);
  #list = new VirtualList();
  /** @type {Lane[]} */
  #lanes = [];
  /** @type {import('../../text/text_slice.js').Sliced} */
  #text = '';
  #divergences = NO_DIVERGENCES;
  #stretches = NO_STRETCHES;

  start() {
    const grid = h('div', { class: 'stretch-grid' }, this.#head, this.#list);
    this.append(this.#empty, grid);
    this.#list.start({
      rowHeight: ROW,
      grid,
      label: 'Where they differ, by stretch of the text',
      drawRow: row => this.#row(row),
    });
    listen(this.#list, 'choose', row => this.emit('choose', this.#at(row).number));
    this.#list.addEventListener(
      'scroll',
      () => {
        this.#head.scrollLeft = this.#list.scrollLeft;
        this.emit('scrolled', null);
      },
      { passive: true },
    );
    this.#list.addEventListener('click', event => {
      if (closest(event, '[data-role=show-in-text]')) this.#showText(closest(event, '[data-row]'));
    });
    this.#list.addEventListener('dblclick', event => this.#showText(closest(event, '[data-row]')));
    this.#list.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.#showText(closest(event, '[data-row]'));
    });
  }

  /**
   * @param {{divergences: import('../../text/divergences.js').Divergences, lanes: Lane[], text: {length: number, slice:
   *   (from: number, to?: number) => string}, bytes: number}} answer `bytes`: of the text
   */
  show({ divergences, lanes, text, bytes }) {
    this.#divergences = divergences;
    this.#lanes = lanes;
    this.#text = text;
    this.#stretches = new Stretches(divergences, bytes, text.length);
    this.style.setProperty('--columns', String(lanes.length));
    this.#head.replaceChildren(
      h('span', { role: 'columnheader' }, 'bytes'),
      ...lanes.map(({ name, letter }) =>
        h(
          'span',
          { class: 'stretch-name', role: 'columnheader', 'data-letter': letter, title: name },
          tokenizerBadge(letter, 'small'),
          h('span', { class: 'clipped' }, name),
        ),
      ),
      h('span', { role: 'columnheader' }, h('span', { class: 'visually-hidden' }, 'Show in the text')),
    );
    this.#empty.hidden = this.#stretches.length > 0;
    this.#list.count = this.#stretches.length;
  }

  clear() {
    this.#stretches = NO_STRETCHES;
    this.#head.replaceChildren();
    this.#list.count = 0;
  }

  /** @param {number} number of a divergence, -1 for none; brought into the window */
  set chosen(number) {
    this.#list.chosen = this.#stretches.rowOf(number);
  }

  /** Brings a position into the window. @param {number} pos UTF-16 */
  reveal(pos) {
    if (this.#stretches.length) this.#list.centre(this.#stretches.rowAt(pos));
  }

  /** @returns {{from: number, to: number}} the stretch of the text in the window */
  get shown() {
    if (!this.#stretches.length) return { from: 0, to: 0 };
    const { first, last } = this.#list.visible;
    return { from: this.#at(first).from16, to: this.#at(last).to16 };
  }

  /** @param {number} row */
  #at(row) {
    return this.#stretches.at(row);
  }

  /** @param {HTMLElement|null} element a row */
  #showText(element) {
    if (element) this.emit('showtext', this.#at(Number(element.dataset.row)).from16);
  }

  /** @param {number} row */
  #row(row) {
    const stretch = this.#at(row);
    const agreed = stretch.number < 0;
    return [
      h(
        'div',
        {
          class: `stretch-row ${agreed ? 'agreed' : ''}`,
          role: 'presentation',
          'data-start': stretch.from8,
          'data-end': stretch.to8,
          'data-differs': String(!agreed),
        },
        h(
          'span',
          { role: 'gridcell', class: 'cell' },
          h('span', { class: 'number dim' }, `${stretch.from8}–${stretch.to8}`),
          agreed
            ? null
            : h('span', { class: 'faint' }, this.#divergences.kinds[this.#divergences.kind.at(stretch.number)]),
        ),
        ...(agreed ? [this.#agreed(stretch)] : this.#lanes.map(lane => this.#cell(lane, stretch))),
        h(
          'span',
          { role: 'gridcell', class: 'cell' },
          h(
            'button',
            {
              type: 'button',
              class: 'button',
              tabIndex: -1,
              title: 'Show in the text (Enter)',
              'aria-label': `Show bytes ${stretch.from8} to ${stretch.to8} in the text`,
              'data-role': 'show-in-text',
            },
            '→',
          ),
        ),
      ),
    ];
  }

  /** What all tokenize alike, folded: how many tokens, and how the text begins. @param {Stretch} stretch */
  #agreed(stretch) {
    const counts = this.#lanes.map(({ tokens }) => {
      const { first, end } = this.#stretches.tokensIn(tokens, stretch);
      return end - first;
    });
    const least = Math.min(...counts);
    const most = Math.max(...counts);
    const total = least === most ? plural(least, 'token') : `${count(least)} to ${count(most)} tokens`;
    const begin = shortened(this.#text.slice(stretch.from16, stretch.to16), AGREED);
    return h(
      'span',
      {
        role: 'gridcell',
        class: 'cell agreed-text',
        'aria-colspan': String(this.#lanes.length),
        'data-counts': counts.join(),
      },
      h('span', { class: 'number' }, `${total}${this.#lanes.length > 1 ? ', same boundaries' : ''}`),
      h(
        'bdi',
        { class: 'clipped mono' },
        ...visibleNodes(begin),
        begin.length < stretch.to16 - stretch.from16 ? '…' : '',
      ),
    );
  }

  /** @param {Lane} lane @param {Stretch} stretch */
  #cell({ id, letter, tokens, colour }, stretch) {
    const { first, end } = this.#stretches.tokensIn(tokens, stretch);
    const ids = [];
    for (let k = first; k < Math.min(end, first + MOST_IDS); k++) {
      const i = tokens.placed(k);
      const id = String(tokens.ids.at(i));
      ids.push(
        tokens.has(i, UNKNOWN) ? h('span', { class: 'unknown-id', title: 'Not in the vocabulary' }, id) : id,
        ' ',
      );
    }
    const begin = Math.max(0, stretch.from16 - CONTEXT);
    const clusters = new Clusters(this.#text.slice(begin, Math.min(this.#text.length, stretch.to16 + CONTEXT)), begin);
    const from = clusters.floor(stretch.from16);
    const last = clusters.ceil(stretch.to16);
    const to = clusters.ceil(Math.min(last, from + MOST_CHARACTERS));
    return h(
      'span',
      { role: 'gridcell', class: 'cell', 'data-letter': letter, 'data-tokenizer': id },
      h(
        'span',
        { class: 'clipped' },
        tokenSpansText(tokens, this.#text.slice(from, to), from, from, to, colour),
        to < last ? '…' : null,
      ),
      h(
        'span',
        { class: 'number faint clipped', title: plural(end - first, 'token') },
        ...ids,
        end - first > MOST_IDS ? `… ${plural(end - first, 'token')}` : null,
      ),
    );
  }
}

customElements.define('stretch-table', StretchTable);
