/**
 * Draws the merges that build a token as a tree: the token, below it the two parts that its last merge joins, and so on
 * down to symbols. The lists are nested, so a screen reader says the depth. Each token is a link (`opentoken`).
 */
import { h } from '../dom.js';
import { tokenButton } from './token_label.js';

const MOST_NODES = 160;

/**
 * @param {import('../../api/schema.d.ts').MergeNode[]} nodes in the order they are made; the last one is the token
 */
export function mergeTree(nodes) {
  let left = MOST_NODES;
  /** @param {number} at @returns {HTMLLIElement} */
  const branch = at => {
    const node = nodes[at];
    const item = h('li', {}, tokenButton(node));
    if (node.left === null || node.right === null || --left < 0) return item;
    item.append(h('ul', {}, branch(node.left), branch(node.right)));
    return item;
  };
  const tree = h('ul', { class: 'merge-tree', 'data-role': 'merge-tree' }, branch(nodes.length - 1));
  return left < 0
    ? h(
        'div',
        {},
        tree,
        h('p', { class: 'faint' }, `The tree has ${nodes.length} tokens; its lower part is not drawn.`),
      )
    : tree;
}
