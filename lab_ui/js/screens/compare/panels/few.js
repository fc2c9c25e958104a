/** What to do where fewer than two tokenizers are shown: nothing can be compared then. */
import { Panel } from '../../../app/panel.js';
import { h, setText } from '../../../ui/dom.js';
import { compared } from '../settings.js';

export class FewPanel extends Panel {
  #words = h('p', {});
  #button = h('button', { type: 'button', class: 'button framed', onclick: () => this.#act() });
  element = h('div', { class: 'few', hidden: true }, this.#words, this.#button);

  /** @param {Set<string>} changed */
  onState(changed) {
    if (['chosen', 'compare.hidden', 'entries'].some(name => changed.has(name))) this.draw();
  }

  draw() {
    const { settings } = this.context;
    const areHidden = settings.get('compare.hidden').length > 0;
    this.element.hidden = compared(settings).length >= 2;
    setText(
      this.#words,
      areHidden ? 'Select at least two tokenizers to compare.' : 'Add a second tokenizer to compare.',
    );
    setText(this.#button, settings.get('chosen').length > 1 ? 'Show all' : 'Add tokenizer');
  }

  #act() {
    const { settings, dialog } = this.context;
    if (settings.get('compare.hidden').length) settings.set({ 'compare.hidden': [] });
    else dialog.open();
  }
}
