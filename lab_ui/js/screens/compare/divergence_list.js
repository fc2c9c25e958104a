/**
 * The stretches on which tokenizers differ, each with the tokens of every tokenizer. Gets `start` and `show`; reports
 * `choose` (detail: number of the divergence) and `kind` (detail: a kind or null for all).
 */
import { LabElement } from '../../ui/element.js';
import { Clusters } from '../../text/clusters.js';
import { fullSpellingOf } from '../../text/spelling.js';
import { UNKNOWN } from '../../text/token_spans.js';
import { h, listen, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { roving } from '../../ui/roving.js';
import { VirtualList } from '../../ui/virtual_list.js';

const HEAD = 34;
const LINE = 23;
const MOST_CHARACTERS = 30;
const CONTEXT = 32;
const MOST_TOKENS = 16;
/** What the list of an empty text says. */
export const NO_TEXT = 'Type or paste a text to see where the tokenizers differ.';
const MARK = /^(##(?=.)|·+(?=[^·]))?(.*)$/su;

/**
 * @typedef {import('../../api/schema.d.ts').TokenHead} TokenHead
 * @typedef {import('./lanes.js').Lane} Lane
 * @typedef {Object} Listed
 * @property {import('../../text/divergences.js').Divergences} divergences
 * @property {Uint32Array<ArrayBuffer>} numbers those to show, after the filter
 * @property {string|null} kind the one that is shown; null: all
 * @property {Map<string, number>} kindCounts how many of each kind
 * @property {string|import('../../text/text_slice.js').TextSlice} text @property {Lane[]} lanes
 * @property {(tokenizer: string, id: number) => TokenHead|null} entryOf null: it is on its way
 */

export class DivergenceList extends LabElement {
  #kinds = h('div', { class: 'kinds', role: 'toolbar', 'aria-label': 'Kind of divergence' });
  #stopAt = roving(this.#kinds, 'button');
  #list = new VirtualList();
  #empty = h('p', { class: 'empty-note', hidden: true });
  /** @type {Listed} */
  #data;
  #numbers = new Uint32Array(0);
  /** Whether a row was drawn without an entry that is on its way. */
  #waits = false;

  render() {
    this.append(this.#kinds, this.#empty, this.#list);
    this.#list.start({
      rowHeight: HEAD,
      label: 'Divergences',
      role: 'listbox',
      rowRole: 'option',
      drawRow: row => this.#row(row),
    });
    listen(this.#list, 'choose', row => this.emit('choose', this.#numbers[row]));
  }

  /** @param {Listed} data */
  show(data) {
    this.#data = data;
    this.#numbers = data.numbers;
    this.#drawKinds(data);
    this.#empty.hidden = data.numbers.length > 0;
    this.#empty.textContent =
      data.lanes.length < 2
        ? 'Add a second tokenizer to compare.'
        : data.text
          ? 'All tokenizers have the same boundaries in this text.'
          : NO_TEXT;
    this.#list.rowHeight = HEAD + LINE * data.lanes.length;
    this.#list.count = data.numbers.length;
  }

  /** More entries are known: rows that wait for one are drawn again. */
  redraw() {
    if (!this.#waits) return;
    this.#waits = false;
    this.#list.redraw();
  }

  /** Shows no divergences: there is no answer. @param {string} [text] that say what to do */
  clear(text = '') {
    this.#numbers = new Uint32Array(0);
    this.#kinds.replaceChildren();
    this.#empty.hidden = !text;
    setText(this.#empty, text);
    this.#list.count = 0;
  }

  /** @param {number} number of a divergence, -1 for none */
  set chosen(number) {
    this.#list.chosen = this.#numbers.indexOf(number);
  }

  /** @param {Listed} data */
  #drawKinds({ kindCounts, kind, divergences }) {
    const counts = [...kindCounts].filter(([name, n]) => n || name === kind);
    update(
      this.#kinds,
      /** @type {[string|null, number][]} */ ([[null, divergences.length], ...counts]),
      ([name]) => name ?? 'all',
      ([name]) =>
        h('button', {
          type: 'button',
          class: 'small-chip number',
          'data-kind': name ?? 'all',
          onclick: () => this.emit('kind', name),
        }),
      (chip, [name, n]) => {
        chip.ariaPressed = String(kind === name);
        setText(chip, `${name ?? 'all'} ${count(n)}`);
      },
    );
    this.#stopAt();
  }

  /** @param {number} row */
  #row(row) {
    const { divergences, lanes, text } = this.#data;
    const n = this.#numbers[row];
    // Whole clusters, or a vowel sign would stand there without its letter.
    const begin = Math.max(0, divergences.start16.at(n) - CONTEXT);
    const clusters = new Clusters(text.slice(begin, divergences.end16.at(n) + CONTEXT), begin);
    const from = clusters.floor(divergences.start16.at(n));
    const end = clusters.ceil(divergences.end16.at(n));
    const to = clusters.ceil(Math.min(end, from + MOST_CHARACTERS));
    return [
      h(
        'div',
        {
          class: 'divergence-head',
          'data-role': 'divergence',
          'data-number': n,
          'data-start': divergences.start8.at(n),
          'data-end': divergences.end8.at(n),
        },
        h(
          'bdi',
          {
            class: 'divergence-text',
            title: `bytes ${divergences.start8.at(n)}–${divergences.end8.at(n)}`,
          },
          ...visibleNodes(titleOf(text.slice(from, to))),
          to < end ? '…' : null,
        ),
        h('span', {}, divergences.kinds[divergences.kind.at(n)]),
      ),
      ...lanes.map((lane, column) =>
        h(
          'div',
          { class: 'divergence-line', 'data-letter': lane.letter },
          tokenizerBadge(lane.letter, 'small'),
          h('span', { class: 'visually-hidden' }, `${lane.name}: `),
          h('span', { class: 'clipped clip' }, ...this.#blocks(lane, n)),
          h('span', { class: 'number dim' }, count(divergences.count(n, column))),
        ),
      ),
    ];
  }

  /**
   * The tokens of a lane on a divergence, each as its vocabulary spells it.
   * @param {Lane} lane @param {number} n of the divergence
   */
  #blocks({ id, tokens, colour }, n) {
    const { divergences, entryOf } = this.#data;
    const end = divergences.end8.at(n);
    /** @type {(HTMLElement|string)[]} */
    const blocks = [];
    for (let k = tokens.firstEndingAfterByte(divergences.start8.at(n)); k < tokens.placedCount; k++) {
      const i = tokens.placed(k);
      if (tokens.start8.at(i) >= end) break;
      if (blocks.length === MOST_TOKENS) {
        blocks.push('…');
        break;
      }
      const entry = entryOf(id, tokens.ids.at(i));
      if (!entry) this.#waits = true;
      blocks.push(block(entry, tokens.has(i, UNKNOWN), colour(i)));
    }
    return blocks;
  }
}

/** What a place is called: its text without the white space around it, if there is other text. @param {string} text */
const titleOf = text => text.trim() || text;

/** @param {TokenHead|null} entry @param {boolean} isUnknown @param {string} colour */
function block(entry, isUnknown, colour) {
  const spelling = entry ? fullSpellingOf(entry) : '';
  if (isUnknown) return h('bdi', { class: 'unknown-tag' }, spelling);
  const [, mark = '', rest] = MARK.exec(spelling) ?? ['', '', spelling];
  const element = h('bdi', { class: 'token-block' }, mark ? h('i', {}, mark) : null, rest);
  element.style.background = colour;
  return element;
}

customElements.define('divergence-list', DivergenceList);
