/**
 * The stretches on which tokenizers differ, each with every tokenizer's cut of it. Gets `start` and `show`; reports
 * `choose` (detail: number of the divergence) and `kind` (detail: a kind or null for all).
 */
import { LabElement } from '../../ui/element.js';
import { Clusters } from '../../text/clusters.js';
import { h, listen, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';
import { tokenizerBadge } from '../../ui/tokenizer_badge.js';
import { tokenSpansText } from '../../ui/token_spans_text.js';
import { VirtualList } from '../../ui/virtual_list.js';

const HEAD = 34;
const LINE = 23;
const MOST_CHARACTERS = 30;
const CONTEXT = 32;

export class DivergenceList extends LabElement {
  #kinds = h('div', { class: 'kinds', role: 'group', 'aria-label': 'Kind of divergence' });
  #list = new VirtualList();
  #empty = h('p', { class: 'empty-note', hidden: true });
  #data = null;
  #numbers = new Uint32Array(0);

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

  /**
   * @param {{divergences: Object, numbers: Uint32Array<ArrayBuffer>, kind: string|null, kindCounts: Map<string,
   *   number>, text: string, lanes: {id: string, name: string, letter: string, tokens: Object, colour: (i: number) =>
   *   string}[]}} data `numbers`: those to show, after the filter
   */
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
          : 'Enter some text to compare.';
    this.#list.rowHeight = HEAD + LINE * data.lanes.length;
    this.#list.count = data.numbers.length;
  }

  /** Shows nothing: there is no answer. */
  clear() {
    this.#numbers = new Uint32Array(0);
    this.#kinds.replaceChildren();
    this.#empty.hidden = true;
    this.#list.count = 0;
  }

  /** @param {number} number of a divergence, -1 for none */
  set chosen(number) {
    this.#list.chosen = this.#numbers.indexOf(number);
  }

  #drawKinds({ kindCounts, kind, divergences }) {
    const counts = [...kindCounts].filter(([name, n]) => n || name === kind);
    update(
      this.#kinds,
      [[null, divergences.length], ...counts],
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
  }

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
        h('span', { class: 'number' }, `bytes ${divergences.start8.at(n)}–${divergences.end8.at(n)}`),
        h('span', {}, divergences.kinds[divergences.kind.at(n)]),
      ),
      ...lanes.map(({ name, letter, tokens, colour }, column) =>
        h(
          'div',
          { class: 'divergence-line', 'data-letter': letter },
          tokenizerBadge(letter, 'small'),
          h('span', { class: 'visually-hidden' }, `${name}: `),
          h(
            'span',
            { class: 'clipped' },
            tokenSpansText(tokens, text.slice(from, to), from, from, to, colour),
            to < end ? '…' : null,
          ),
          h('span', { class: 'number dim' }, count(divergences.count(n, column))),
        ),
      ),
    ];
  }
}

customElements.define('divergence-list', DivergenceList);
