/**
 * All there is to know of one vocabulary entry. Gets `show`; reports `opentoken` (detail: another token's id),
 * `trytext` (detail: a text that gives the token) and `holders` (detail: bytes in hex, to list all tokens with them).
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h } from '../../ui/dom.js';
import { count, plural, ratio } from '../../util/format.js';
import { kindWords, scriptWords } from '../../api/vocabulary_query.js';
import { MOST_LISTED, hexWords, labelNodes, tokenChips, variantChips } from '../../ui/tokens/token_label.js';
import { originNodes } from '../../ui/tokens/token_origin.js';
import { facts, part } from '../../ui/facts.js';
import { VERDICT_WORDS } from './vocabulary_table.js';

const MOST_BYTES = 64;

export class VocabularyEntry extends LabElement {
  render() {
    if (!this.firstChild) this.show(null);
  }

  /** @param {import('../../api/schema.d.ts').TokenDetail|null} detail @param {string} [model] what the model is */
  show(detail, model = '') {
    if (!detail) {
      this.replaceChildren(
        h(
          'p',
          { class: 'empty-words dim' },
          'Choose a token to see how it is built, which tokens contain it, and whether any text produces it.',
        ),
      );
      return;
    }
    const { token } = detail;
    this.replaceChildren(
      h('h2', { class: 'visually-hidden', tabIndex: -1 }, `Token ${token.id}`),
      h(
        'div',
        { class: 'hero' },
        h('bdi', { dir: 'ltr', class: `face ${token.text === null ? 'broken' : ''}` }, ...labelNodes(token)),
      ),
      facts(this.#facts(detail, model)),
      section('How it was built', originNodes(detail, model)),
      section('Part of', this.#partOf(detail)),
      section('Variants', variantChips(detail.variants)),
    );
  }

  /** For who opens it with the keyboard. */
  focusHead() {
    this.querySelector('h2')?.focus();
  }

  /**
   * @param {import('../../api/schema.d.ts').TokenDetail} detail @param {string} model
   * @returns {import('../../ui/facts.js').Fact[]}
   */
  #facts({ token, reachability, merge_count: merges }, model) {
    return [
      ['id', h('span', { class: 'mono number' }, String(token.id))],
      [
        'rank',
        token.rank === null
          ? null
          : h(
              'span',
              { class: 'number', title: 'Its place in the list of merges, counted from 0: the lowest merges first' },
              `${count(token.rank)} of ${count(merges)}`,
            ),
      ],
      [
        'score',
        token.score === null
          ? null
          : h('span', { class: 'mono number', title: 'natural logarithm of its probability' }, ratio(token.score)),
      ],
      ['bytes', h('span', { class: 'mono' }, hexWords(token.bytes, MOST_BYTES))],
      [
        'length',
        plural(token.length, 'byte') +
          (token.characters === null ? ', not whole characters' : `, ${plural(token.characters, 'character')}`),
      ],
      [
        'kind',
        [kindWords(token.kind, model), token.script === 'none' ? '' : scriptWords(token.script)]
          .filter(Boolean)
          .join(', '),
      ],
      ['reachable', this.#reach(reachability, token)],
    ];
  }

  /**
   * @param {import('../../api/schema.d.ts').Reachability} reachability
   * @param {import('../../api/schema.d.ts').TokenHead} token
   */
  #reach({ verdict, explanation, text }, token) {
    const head = VERDICT_WORDS[verdict];
    const shown =
      text === null || text === token.text
        ? null
        : h('bdi', { dir: 'ltr', class: 'mono' }, ...labelNodes({ text, bytes: '' }));
    return h(
      'span',
      { 'data-role': 'reachability' },
      h('span', { class: `verdict ${verdict}` }, `${head}: ${explanation}`),
      shown ? ' ' : null,
      shown,
      text === null
        ? null
        : actionButton('Show in Inspect', () => this.emit('trytext', text), { class: 'button link' }),
    );
  }

  /** @param {import('../../api/schema.d.ts').TokenDetail} detail */
  #partOf({ merged_into: merged, containing_tokens: holding, token, origin }) {
    const holders = holding.count
      ? actionButton(
          `In the bytes of ${plural(holding.count, 'other token')}`,
          () => this.emit('holders', token.bytes),
          { class: 'button link' },
        )
      : h('p', { class: 'dim' }, 'Its bytes are in no other token.');
    if (!merged.count)
      return [origin.method === 'no_merges' ? null : h('p', { class: 'dim' }, 'No merge uses this token.'), holders];
    return [
      h(
        'p',
        { class: 'dim' },
        `Merged with a neighbour into ${plural(merged.count, 'token')}` +
          (merged.count > MOST_LISTED ? `, the first ${MOST_LISTED}:` : ':'),
      ),
      tokenChips(merged.merges.map(merge => merge.made)),
      holders,
    ];
  }
}

/**
 * @param {string} title @param {HTMLParagraphElement|Node[]|(HTMLParagraphElement|HTMLButtonElement|null)[]} children
 */
const section = (title, children) => part(title, ...[children].flat());

customElements.define('vocabulary-entry', VocabularyEntry);
