/** How a token was built: its tree of merges, or what its model has instead. Used by Vocabulary and Inspect. */
import { LabElement } from '../element.js';
import { h } from '../dom.js';
import { count, ratio } from '../../util/format.js';
import { mergeTree } from './merge_tree.js';
import { tokenButton, tokenChips, tokenFace } from './token_label.js';

/** @typedef {import('../../api/schema.d.ts').TokenDetail} VocabularyDetail */

/**
 * @param {Pick<VocabularyDetail, 'origin'|'segmentation_without'|'token'>} detail
 * @param {string} model the kind of the model, as in the catalog
 * @returns {Node[]}
 */
export function originNodes({ origin, segmentation_without: without, token }, model) {
  if (origin.method === 'merged') return [mergeTree(origin.nodes)];
  if (origin.method === 'not_merged')
    return [
      h('p', { class: 'dim' }, 'Merges of its symbols lead to these tokens instead:'),
      tokenChips(origin.competing_tokens),
    ];
  if (origin.method !== 'no_merges')
    return [h('p', { class: 'dim' }, `${origin.explanation.charAt(0).toUpperCase()}${origin.explanation.slice(1)}.`)];
  const text = /Unigram/.test(model)
    ? 'A Unigram vocabulary has no merges: tokens compete by score.'
    : /BPE/.test(model)
      ? 'This file stores scores instead of merges, so no tree is drawn.'
      : 'This model has no merges: words are looked up as they are.';
  if (!without) return [h('p', { class: 'dim' }, text)];
  const parts = without.tokens.map(part =>
    part ? tokenButton(part) : h('span', { class: 'warning' }, 'unknown character'),
  );
  return [
    h('p', { class: 'dim' }, text),
    h(
      'p',
      { class: 'dim' },
      `Score ${ratio(token.score)}. Without this token the best segmentation scores ${ratio(without.score)}:`,
    ),
    h('div', { class: 'token-chips' }, ...parts),
  ];
}

/**
 * The last merge of a token in one line: "before it  E8 + AA → E8AA  rank 45 661".
 * @param {string} where it is, such as "before it"
 * @param {Pick<VocabularyDetail, 'origin'|'token'>} detail
 * @returns {Node[]} none if the model has no merges
 */
export function lastMerge(where, { origin, token }) {
  if (origin.method === 'no_merges') return [];
  const { nodes } = origin;
  const made = nodes.at(-1);
  const parts =
    !made || made.left === null || made.right === null
      ? [
          tokenFace(token),
          h('span', { class: 'dim' }, token.rank === null ? ' no merge' : ` rank ${count(token.rank)}`),
        ]
      : [
          tokenFace(nodes[made.left]),
          ' + ',
          tokenFace(nodes[made.right]),
          ' → ',
          tokenFace(made),
          h('span', { class: 'dim number' }, ` rank ${count(made.rank)}`),
        ];
  return [
    h('p', { class: 'last-merge', 'data-role': 'merge-before' }, h('span', { class: 'faint' }, `${where} `), ...parts),
  ];
}

/**
 * How a token was built, in a part that opens. Gets `show`; reports `toggleorigin` (detail: whether it is open now),
 * and `opentoken` of the tokens in it.
 */
export class TokenOrigin extends LabElement {
  #body = h('div', { class: 'origin-body' });
  #link = h('a', { class: 'button link', 'data-role': 'show-in-vocabulary' }, 'Show in Vocabulary');
  /** @type {HTMLDetailsElement} */
  #details = h(
    'details',
    { class: 'panel-part', ontoggle: () => this.emit('toggleorigin', this.#details.open) },
    h('summary', { 'data-role': 'origin' }, 'How it was built'),
    this.#body,
    this.#link,
  );

  render() {
    this.append(this.#details);
    this.hidden = true;
  }

  get open() {
    return this.#details.open;
  }

  /** @param {number|null} id null: no token @param {Node[]} nodes */
  show(id, nodes) {
    this.hidden = id === null;
    this.#link.href = `#/vocabulary?q=${id}&mode=ids`;
    this.#body.replaceChildren(...nodes);
  }
}

customElements.define('token-origin', TokenOrigin);
