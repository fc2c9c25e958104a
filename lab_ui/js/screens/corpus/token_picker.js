/** Letters of the tokenizers of an analysis, of which one is chosen. */
import { SegmentedControl } from '../../ui/segmented_control.js';

/**
 * @param {SegmentedControl} control
 * @param {{id: string, name: string, letter: string}[]} tokenizers
 * @param {string|null} chosen id
 */
export function showLetters(control, tokenizers, chosen) {
  const options = tokenizers.map(({ id, name, letter }) => ({ value: id, label: letter, hint: name }));
  control.ariaLabel = 'Tokenizer';
  control.options = options;
  for (const [n, { hint }] of options.entries()) control.children[n].ariaLabel = hint;
  control.value = chosen;
  control.hidden = tokenizers.length < 2;
}
