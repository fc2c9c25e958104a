/** All tokens of a text as rows. Gets `start` and `show`; reports `choose` (detail: the token's number). */
import { LabElement } from '../../ui/element.js';
import { bytesOfHex, count, hexByte } from '../../util/format.js';
import { gridCells, gridHead } from '../../ui/data_grid.js';
import { h, listen } from '../../ui/dom.js';
import { EntryLoader } from '../../api/entry_loader.js';
import { NO_TOKENS } from '../../text/token_spans.js';
import { tokenFacts } from '../../text/token_facts.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_BYTES = 16;
const MOST_CHARACTERS = 40;
const ROW = 28;

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
    this.append(gridHead(this.#columns), this.#list);
    listen(this.#list, 'choose', token => this.emit('choose', token));
    this.#list.start({
      rowHeight: ROW,
      label: 'Tokens',
      grid: this,
      drawRow: i => gridCells(this.#columns, tokenFacts(this.#tokens, i, this.#text)),
    });
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

  /** @type {import('../../ui/data_grid.js').Column<import('../../text/token_facts.js').TokenFacts>[]} */
  #columns = [
    { label: '#', cell: ({ token }) => [h('span', { class: 'faint number' }, count(token + 1))] },
    { label: 'text', cell: facts => [this.#face(facts)] },
    { label: 'id', cell: ({ id }) => [h('span', { class: 'mono number' }, String(id))] },
    { label: 'bytes', cell: ({ bytes }) => [h('span', { class: 'mono' }, byteWords(bytes))] },
    { label: 'in vocabulary', cell: facts => [this.#inVocabulary(facts)] },
    {
      label: 'byte span',
      cell: ({ added, span8 }) => [h('span', { class: 'mono number' }, added ? '–' : `${span8[0]}–${span8[1]}`)],
    },
    { label: 'kind', cell: facts => [h('span', { class: 'dim' }, kindWords(facts))] },
  ];

  /** @param {import('../../text/token_facts.js').TokenFacts} facts */
  #face({ token, source, added, unknown }) {
    if (added) return h('span', { class: 'faint' }, 'no text');
    const face = h('bdi', { class: 'token-face' }, ...visibleNodes([...source].slice(0, MOST_CHARACTERS).join('')));
    if (unknown) face.classList.add('unknown');
    else face.style.backgroundColor = `var(--t${this.#tokens.turn(token, 4)})`;
    return face;
  }

  /** @param {import('../../text/token_facts.js').TokenFacts} facts */
  #inVocabulary({ id, unknown }) {
    const entry = this.#entryOf(id);
    if (!entry) this.#loader.want(id);
    return entry ? vocabularyNode(entry, unknown) : '…';
  }
}

/** @param {Uint8Array} bytes */
function byteWords(bytes) {
  const first = [...bytes.subarray(0, MOST_BYTES)].map(hexByte).join(' ');
  return bytes.length > MOST_BYTES ? `${first} …` : first || '–';
}

/** @param {import('../../text/token_facts.js').TokenFacts} facts */
const kindWords = ({ added, special, unknown, characters }) =>
  [
    added ? 'added' : special ? 'special' : '',
    unknown ? 'unknown' : '',
    characters.some(({ owners }) => owners.length > 1) ? 'part of a character' : '',
  ]
    .filter(Boolean)
    .join(', ');

/** @param {import('../../api/schema.d.ts').TokenHead} entry @param {boolean} unknown */
function vocabularyNode({ text, bytes }, unknown) {
  if (unknown && text) return h('span', { class: 'unknown-tag' }, text);
  if (text !== null) return h('bdi', { class: 'mono' }, ...visibleNodes(text));
  return h('span', { class: 'mono faint' }, [...bytesOfHex(bytes)].map(hexByte).join(' '));
}

customElements.define('token-table', TokenTable);
