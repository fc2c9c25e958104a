/** All tokens of a text as rows. Gets `start` and `show`; reports `choose` (detail: the token's number). */
import { LabElement } from '../../ui/element.js';
import { bytesOfHex, count, hexByte } from '../../util/format.js';
import { h, listen } from '../../ui/dom.js';
import { EntryLoader } from '../../api/entry_loader.js';
import { NO_TOKENS } from '../../text/token_spans.js';
import { tokenFacts } from '../../text/token_facts.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_BYTES = 16;
const MOST_CHARACTERS = 40;
const ROW = 28;
const COLUMNS = ['#', 'text', 'id', 'bytes', 'in vocabulary', 'byte span', 'kind'];

/** @typedef {import('../../ui/tokens/segmentations.js').EntryOf} EntryOf */

export class TokenTable extends LabElement {
  #list = new VirtualList();
  #tokens = NO_TOKENS;
  #text = '';
  /** @type {EntryOf} */
  #entryOf = () => undefined;
  /** @type {EntryLoader} */
  #loader;

  /**
   * @param {{entryOf: EntryOf, want: (ids: number[]) => Promise<boolean>}} vocabulary what is
   *   known of ids, and how to learn more: false if it cannot be learned
   */
  start({ entryOf, want }) {
    this.#entryOf = entryOf;
    this.#loader = new EntryLoader(want, () => this.#list.redraw());
    this.append(
      h(
        'div',
        { class: 'table-head', role: 'row', 'aria-rowindex': '1' },
        ...COLUMNS.map(name => h('span', { role: 'columnheader' }, name)),
      ),
      this.#list,
    );
    listen(this.#list, 'choose', token => this.emit('choose', token));
    this.#list.start({ rowHeight: ROW, label: 'Tokens', grid: this, drawRow: row => this.#row(row) });
  }

  /** @param {import('../../text/token_spans.js').TokenSpans} tokens @param {string} text */
  show(tokens, text) {
    this.#tokens = tokens;
    this.#text = text;
    this.#loader.retry();
    this.#list.count = tokens.length;
  }

  /** @param {number} token -1: none */
  set chosen(token) {
    this.#list.chosen = token;
  }

  /** @param {number} i */
  #row(i) {
    const facts = tokenFacts(this.#tokens, i, this.#text);
    const entry = this.#entryOf(facts.id);
    if (!entry) this.#loader.want(facts.id);
    const text = h(
      'bdi',
      { class: 'token-face' },
      ...visibleNodes([...facts.source].slice(0, MOST_CHARACTERS).join('')),
    );
    if (facts.unknown) text.classList.add('unknown');
    else text.style.backgroundColor = facts.added ? '' : `var(--t${this.#tokens.turn(i, 4)})`;
    const kinds = [
      facts.added ? 'added' : facts.special ? 'special' : '',
      facts.unknown ? 'unknown' : '',
      facts.characters.some(c => c.owners.length > 1) ? 'part of a character' : '',
    ].filter(Boolean);
    const bytes =
      [...facts.bytes.subarray(0, MOST_BYTES)].map(hexByte).join(' ') + (facts.bytes.length > MOST_BYTES ? ' …' : '');
    return [
      [h('span', { class: 'faint number' }, count(i + 1))],
      [facts.added ? h('span', { class: 'faint' }, 'no text') : text],
      [h('span', { class: 'mono number' }, String(facts.id))],
      [h('span', { class: 'mono' }, bytes || '–')],
      [entry ? vocabularyNode(entry, facts.unknown) : '…'],
      [h('span', { class: 'mono number' }, facts.added ? '–' : `${facts.span8[0]}–${facts.span8[1]}`)],
      [h('span', { class: 'dim' }, kinds.join(', '))],
    ].map(children => h('span', { role: 'gridcell', class: 'cell clip' }, ...children));
  }
}

/** @param {import('../../api/schema.d.ts').TokenHead} entry @param {boolean} unknown */
function vocabularyNode({ text, bytes }, unknown) {
  if (unknown && text) return h('span', { class: 'unknown-tag' }, text);
  if (text !== null) return h('bdi', { class: 'mono' }, ...visibleNodes(text));
  return h('span', { class: 'mono faint' }, [...bytesOfHex(bytes)].map(hexByte).join(' '));
}

customElements.define('token-table', TokenTable);
