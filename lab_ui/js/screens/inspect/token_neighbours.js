/**
 * What stands near a token in the vocabulary: the ids beside it, entries that differ in capitals or a space, and tokens
 * that it is a part of. Gets `show`; reports `opentoken` of the tokens in it.
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { count, plural, ratio } from '../../util/format.js';
import { tokenButton, tokenChips, variantChips, MOST_LISTED } from '../../ui/tokens/token_label.js';
import { part } from '../../ui/facts.js';

/** @param {string} title @param {(Node|null)[]} nodes */
const named = (title, ...nodes) => h(part(title, ...nodes), { 'aria-label': title });

/**
 * @typedef {import('../../api/schema.d.ts').VocabularyToken} VocabularyToken
 * @typedef {Object} Shown
 * @property {number} id
 * @property {VocabularyToken[]} near entries in the order of their ids
 * @property {import('../../api/schema.d.ts').TokenDetail|null} detail null while it is asked for
 * @property {string} [problem] why there is no detail
 */

export class TokenNeighbours extends LabElement {
  /** @param {Shown|null} shown */
  show(shown) {
    if (!shown) {
      this.replaceChildren(h('p', { class: 'dim neighbours-none' }, 'Select a token.'));
      return;
    }
    this.replaceChildren(
      named(
        'Adjacent IDs',
        h(
          'ol',
          { class: 'neighbour-list', 'data-role': 'neighbours' },
          ...shown.near.map(entry => row(entry, entry.id === shown.id)),
        ),
      ),
      ...this.#more(shown),
    );
  }

  /** @param {Shown} shown */
  #more({ detail, problem }) {
    if (problem) return [h('p', { class: 'warning neighbours-none' }, problem)];
    if (!detail) return [h('p', { class: 'dim neighbours-none' }, 'Loading related tokens…')];
    const { variants, merged_into: merged, containing_tokens: containing } = detail;
    return [
      named('Variants', variantChips(variants)),
      named(
        'Part of',
        containing.count
          ? h(
              'p',
              { class: 'dim' },
              `Its bytes are in ${plural(containing.count, 'longer token')}` +
                (containing.count > MOST_LISTED ? ', the shortest:' : ':'),
            )
          : h('p', { class: 'dim' }, 'No longer token has its bytes.'),
        containing.count ? tokenChips(containing.tokens.slice(0, MOST_LISTED)) : null,
        merged.count
          ? h('p', { class: 'dim' }, `It is a direct part of ${plural(merged.count, 'merged token')}.`)
          : null,
      ),
    ];
  }
}

/** @param {VocabularyToken} entry @param {boolean} own */
function row(entry, own) {
  const order =
    typeof entry.rank === 'number'
      ? `rank ${count(entry.rank)}`
      : typeof entry.score === 'number'
        ? `score ${ratio(entry.score)}`
        : entry.special
          ? 'special'
          : '';
  return h(
    'li',
    own ? { class: 'own', 'aria-current': 'true' } : {},
    tokenButton(entry),
    h('span', { class: 'faint number' }, order),
  );
}

customElements.define('token-neighbours', TokenNeighbours);
