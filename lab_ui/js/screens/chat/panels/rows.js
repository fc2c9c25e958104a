/** The messages, each with its tokens, and what the template writes after the last. */
import { Panel } from '../../../app/panel.js';
import { actionButton, all, closest, drawnOnce, h, listen, setText, update } from '../../../ui/dom.js';
import { ICONS, icon } from '../../../ui/icons.js';
import { count } from '../../../util/format.js';
import { messageOf, moved } from '../conversation.js';
import { MessageRow } from '../message_row.js';
import { rowsOf, tokenRow } from '../token_row.js';

export class RowsPanel extends Panel {
  #screen;
  /** The number of the chosen token; negative: none. */
  token = -1;
  #list = h('div', { class: 'chat-list' });
  #rest = h('bdi', { class: 'chat-tokens', dir: 'ltr', 'aria-label': 'Tokens after the messages' });
  #restCount = h('b', { class: 'number' });
  #add = actionButton([icon(ICONS.plus, 14), 'Add a message'], () => this.add(), { 'data-role': 'add-message' });
  #answer = h('span', { class: 'faint' }, 'the answer starts here');
  element = h(
    'div',
    { class: 'chat-rows' },
    this.#list,
    h(
      'div',
      { class: 'chat-end' },
      h('div', { class: 'chat-message-side' }, this.#add),
      h('div', { class: 'chat-message-tokens' }, this.#rest, this.#answer),
      h('div', { class: 'chat-message-counts' }, this.#restCount),
    ),
  );

  /** @param {import('../chat_types.js').Owner} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
    this.element.addEventListener('click', event => {
      const face = /** @type {HTMLElement|null} */ (closest(event, '[data-index]'));
      if (face) this.choose(Number(face.dataset.index));
    });
  }

  /** Chooses a token, which the drawer shows. @param {number} index */
  choose(index) {
    this.token = index;
    this.#screen.show('token');
    this.#chosen[0]?.scrollIntoView({ block: 'nearest' });
  }

  /** Chooses the next token, or the one before. @param {number} by */
  step(by) {
    const faces = all(this.element, '[data-index]');
    const at = faces.findIndex(({ dataset }) => Number(dataset.index) === this.token);
    const face = faces[at < 0 ? (by > 0 ? 0 : faces.length - 1) : (at + by + faces.length) % faces.length];
    if (face) this.choose(Number(face.dataset.index));
  }

  get #chosen() {
    return all(this.element, `[data-index="${this.token}"]`);
  }

  /** @param {import('../chat_types.js').Shown} shown */
  onResult({ chat, messages, colour }) {
    const rows = chat ? rowsOf(chat) : [];
    update(
      this.#list,
      messages,
      ({ key }) => key,
      ({ key }) => this.#make(key),
      (element, message) => {
        const row = /** @type {MessageRow} */ (element);
        const number = messages.indexOf(message);
        row.setMessage(message, number, messages.length);
        const found = chat?.messages[number];
        const control = chat?.control_tokens.filter(each => each.message === number) ?? [];
        row.show(found ? { number, found, control, tokens: rows[number], colour } : null);
      },
    );
    const rest = chat ? rows[chat.messages.length] : [];
    drawnOnce(this.#rest, rest, () => tokenRow(rest, colour));
    setText(this.#restCount, rest.length ? count(rest.length) : '');
    this.#answer.hidden = !rest.length;
    for (const face of all(this.element, '.chosen')) face.classList.remove('chosen');
    for (const face of this.#chosen) face.classList.add('chosen');
  }

  /** @param {number} key */
  #make(key) {
    const row = new MessageRow();
    listen(row, 'edit', patch =>
      this.#screen.change(messages => messages.map(each => (each.key === key ? { ...each, ...patch } : each))),
    );
    listen(row, 'act', act => {
      const at = this.#screen.messages.findIndex(each => each.key === key);
      if (act === 'remove') this.#remove(at);
      else {
        this.#screen.change(messages => moved(messages, at, act === 'up' ? -1 : 1));
        row.focusAct(act);
      }
    });
    return row;
  }

  /** @param {number} at */
  #remove(at) {
    this.#screen.change(messages => messages.filter((_, n) => n !== at));
    this.focus(Math.min(at, this.#screen.messages.length - 1));
  }

  /** Adds a message of the role whose turn it is. */
  add() {
    const last = this.#screen.messages.at(-1)?.role;
    const role = last === 'user' ? 'assistant' : 'user';
    this.#screen.change(messages => [...messages, messageOf({ role, content: '' })]);
    this.focus(this.#screen.messages.length - 1);
  }

  /** @param {number} at a message */
  focus(at) {
    const row = /** @type {MessageRow|undefined} */ (this.#list.children[at]);
    row?.scrollIntoView({ block: 'nearest' });
    if (row) row.focusText();
    else this.#add.focus();
  }
}
