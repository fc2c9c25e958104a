/**
 * The most frequent tokens of one tokenizer, with bars: the unknown token first, parts of characters folded after the
 * others. Gets `show`; reports `choosetoken` (detail: an id).
 */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { labelNodes } from '../../ui/tokens/token_label.js';
import { count, percent, plural } from '../../util/format.js';
import { readableFirst } from './frequencies.js';

/**
 * @typedef {import('../../api/schema.d.ts').TokenizerResult} TokenizerResult
 * @typedef {import('../../api/schema.d.ts').FrequencyRow} FrequencyRow
 */
export class FrequentTokens extends LabElement {
  /** @param {TokenizerResult|null} result @param {string} letter */
  show(result, letter) {
    if (!result) {
      this.replaceChildren(
        h('p', { class: 'drawer-empty dim' }, 'Analyze the corpus to see its most frequent tokens.'),
      );
      return;
    }
    const { whole, parts } = readableFirst(result.frequencies);
    const most = Math.max(1, ...result.frequencies.map(row => row.count));
    /** @param {import('../../api/schema.d.ts').FrequencyRow[]} rows */
    const list = rows => h('ol', { class: 'frequent' }, ...rows.map(row => this.#row(row, most)));
    const isFolded = this.querySelector('details')?.open !== true && whole.length > 0;
    this.dataset.letter = letter;
    this.replaceChildren(
      h(
        'p',
        { class: 'chart-caption drawer-caption' },
        `occurrences, and share of all ${count(result.tokens)} tokens; ${plural(result.types, 'different token')}`,
      ),
      ...(result.unknown_tokens ? [unknownNote(result)] : []),
      list(whole),
      ...(parts.length
        ? [
            h(
              'details',
              { class: 'frequent-parts', open: !isFolded },
              h('summary', {}, `${plural(parts.length, 'token')} with parts of characters`),
              list(parts),
            ),
          ]
        : []),
    );
  }

  /** @param {FrequencyRow} row @param {number} most */
  #row(row, most) {
    const bar = h('i', { 'aria-hidden': 'true' });
    bar.style.setProperty('--share', String(row.count / most));
    const cells = [
      h('bdi', { dir: 'ltr', class: 'mono frequent-token' }, ...(row.unknown ? [row.token] : labelNodes(row))),
      h('span', { class: 'frequent-bar' }, bar),
      h('span', { class: 'number' }, count(row.count)),
      h('span', { class: 'number dim' }, percent(row.share, 2)),
    ];
    const className = `frequent-row ${row.unknown ? 'unknown' : ''}`;
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: className,
          'data-id': String(row.id),
          title: 'Show where it occurs',
          onclick: () => this.emit('choosetoken', row.id),
        },
        ...cells,
      ),
    );
  }
}

/** @param {TokenizerResult} result */
const unknownNote = ({ unknown_tokens: tokens, unknown_characters: characters, frequencies }) =>
  h(
    'p',
    { class: 'unknown-note', 'data-role': 'unknown-note' },
    `${plural(tokens ?? 0, 'token')} ${tokens === 1 ? 'is' : 'are'} `,
    h('bdi', {}, frequencies.find(row => row.unknown)?.token ?? 'unknown'),
    characters ? ` and stand for ${plural(characters, 'character')}` : '',
    '. The count looks better than it is: that text is lost, not compressed.',
  );

customElements.define('frequent-tokens', FrequentTokens);
