/** What the trained tokenizer is compared with. Gets `others`; reports `comparewith` (detail: id, null: all). */
import { MenuButton } from '../../../ui/menu_button.js';
import { drawnOnce } from '../../../ui/dom.js';

/** @typedef {{id: string, name: string}} Other */

export class CompareMenu extends MenuButton {
  render() {
    super.render();
    this.label = 'Compare with…';
    this.hook = 'compare-tokenizer';
  }

  /** @param {Other[]} others tokenizers that can be used */
  set others(others) {
    if (this.open) return; // what is pointed at stays where it is
    drawnOnce(this.panel, others, () => [
      this.group(
        'Compare with',
        this.item('All tokenizers in use', () => this.emit('comparewith', null), { hook: 'compare-all' }),
        ...others.map(({ id, name }) => this.item(name, () => this.emit('comparewith', id), { hook: `compare-${id}` })),
      ),
    ]);
  }
}

customElements.define('compare-tokenizer', CompareMenu);
