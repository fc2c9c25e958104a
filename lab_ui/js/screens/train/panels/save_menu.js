/** Saves the trained tokenizer, and the charts. Gets `algorithm`; reports `saveas` (detail: a format). */
import { MenuButton } from '../../../ui/menu_button.js';

/** @type {{format: string, label: string, of: string[]}[]} */
const FORMATS = [
  {
    format: 'tokenizer.json',
    label: 'tokenizer.json',
    of: ['bpe', 'wordpiece', 'unigram', 'wordlevel', 'character'],
  },
  { format: 'vocab+merges', label: 'vocab.json and merges.txt', of: ['bpe'] },
  { format: 'tiktoken', label: 'Rank file (.tiktoken)', of: ['bpe'] },
  { format: 'vocab.txt', label: 'vocab.txt', of: ['wordpiece'] },
  { format: 'sentencepiece', label: 'SentencePiece (.model)', of: ['bpe', 'unigram'] },
];

export class SaveMenu extends MenuButton {
  #drawn = '';
  /** @type {HTMLElement|null} */
  #formats = null;

  render() {
    super.render();
    this.label = 'Save as…';
    this.hook = 'save-tokenizer';
  }

  /** @param {string} algorithm */
  set algorithm(algorithm) {
    if (algorithm === this.#drawn || this.open) return;
    this.#drawn = algorithm;
    const items = FORMATS.filter(({ of }) => of.includes(algorithm)).map(({ format, label }) =>
      this.item(label, () => this.emit('saveas', format), { hook: `save-${format}` }),
    );
    const before = this.#formats;
    this.#formats = this.group('Tokenizer', ...items);
    if (before) before.replaceWith(this.#formats);
    else this.panel.prepend(this.#formats);
  }
}

customElements.define('save-tokenizer', SaveMenu);
