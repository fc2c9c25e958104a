/** The counts of the chat, and what becomes of them as files. */
import { Panel } from '../../../app/panel.js';
import { h, setText, update } from '../../../ui/dom.js';
import { count } from '../../../util/format.js';
import { chatFacts } from '../chat_words.js';

export class FactsPanel extends Panel {
  #count = h('b', { class: 'big number', 'data-role': 'chat-count' });
  #facts = h('div', { class: 'chat-figures' });
  #warnings = h('ul', { class: 'chat-warnings' });

  #exports;

  /** @param {HTMLElement} exports */
  constructor(exports) {
    super();
    this.#exports = exports;
    const main = h('div', { class: 'chat-main' }, this.#count, h('span', { class: 'faint' }, 'tokens'));
    const row = h('div', { class: 'chat-facts-row' }, main, this.#facts, h('span', { class: 'grow' }), exports);
    this.element = h('section', { class: 'chat-facts', 'aria-label': 'Counts' }, row, this.#warnings);
  }

  /** @param {import('../chat_types.js').Shown} shown */
  onResult({ chat }) {
    this.#exports.hidden = !chat;
    setText(this.#count, chat ? count(chat.count) : '–');
    update(
      this.#facts,
      chat ? chatFacts(chat) : [],
      ({ words }) => words,
      () => h('div', { class: 'chat-fact' }, h('b', { class: 'number' }), h('span', {})),
      (element, { figure, share, words, kind }) => {
        element.className = `chat-fact ${kind}`;
        setText(element.firstChild, share ? `${figure} (${share})` : figure);
        setText(element.lastChild, words);
      },
    );
    update(
      this.#warnings,
      chat?.warnings ?? [],
      text => text,
      text => h('li', {}, text),
    );
  }
}
