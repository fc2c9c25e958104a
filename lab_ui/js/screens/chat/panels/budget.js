/** How the chat fills a context. */
import { Panel } from '../../../app/panel.js';
import { h, setText, update } from '../../../ui/dom.js';
import { line, mark } from '../../../ui/form.js';
import { count } from '../../../util/format.js';
import { budgetParts, budgetWords } from '../chat_words.js';

export class BudgetPanel extends Panel {
  #context = this.#field('context', 'chat-context');
  #reserve = this.#field('reserve', 'chat-reserve');
  #bar = h('div', { class: 'chat-bar', 'aria-hidden': 'true' });
  #parts = h('ul', { class: 'chat-parts' });
  #words = h('span', { class: 'number', 'data-role': 'chat-free' });
  element = h(
    'section',
    { class: 'chat-budget', 'aria-label': 'Budget' },
    this.#bar,
    h(
      'div',
      { class: 'chat-budget-line' },
      this.#parts,
      h('span', { class: 'grow' }),
      this.#words,
      line('Reserve', this.#reserve),
      line('Context', this.#context),
    ),
  );

  /** @param {'context'|'reserve'} name @param {string} hook */
  #field(name, hook) {
    const take = () => {
      const typed = field.value.replace(/[\s\u202f]/g, '');
      const isNumber = /^\d{1,8}$/.test(typed);
      mark(field, !isNumber);
      if (isNumber) this.context.settings.set({ [`chat.${name}`]: Number(typed) });
    };
    const field = h('input', { class: 'budget-field', inputMode: 'numeric', 'data-role': hook, oninput: take });
    return field;
  }

  /** @param {import('../chat_types.js').Shown} shown */
  onResult({ chat }) {
    const { settings } = this.context;
    for (const [field, name] of /** @type {const} */ ([
      [this.#context, 'context'],
      [this.#reserve, 'reserve'],
    ]))
      if (document.activeElement !== field) {
        field.value = String(settings.get(`chat.${name}`));
        mark(field, false);
      }
    const budget = chat?.budget;
    const parts = budget ? budgetParts(budget) : [];
    this.element.classList.toggle('over', (budget?.free ?? 0) < 0);
    const isPossible = settings.get('chat.reserve') < settings.get('chat.context');
    setText(this.#words, budget ? budgetWords(budget) : isPossible ? '' : 'Reserve fewer tokens than the context has.');
    for (const [list, tag] of /** @type {const} */ ([
      [this.#bar, 'i'],
      [this.#parts, 'li'],
    ]))
      update(
        list,
        parts,
        ({ name }) => name,
        () => h(tag, {}),
        (element, { name, kind, share, count: tokens }) => {
          element.dataset.of = kind;
          if (tag === 'i') element.style.width = `${100 * share}%`;
          else setText(element, `${name} ${count(tokens)}`);
        },
      );
  }
}
