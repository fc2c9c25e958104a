/**
 * One message: its role and text, which are edited, and its tokens. Gets `message` and `show`; reports `edit` (detail:
 * a part of the message), `act` (detail: up, down or remove).
 */
import { closest, actionButton, drawnOnce, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { choose, offer, select } from '../../ui/form.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, plural } from '../../util/format.js';
import { otherWords, readWords } from './chat_words.js';
import { ROLES, fieldsOf } from './conversation.js';
import { tokenRow } from './token_row.js';
/** @import {ChatMessage, ControlToken} from '../../api/schema.d.ts' */
/** @import {Message} from './conversation.js' */

/** The keys with Alt that move a row. @type {Object<string, 'up'|'down'|undefined>} */
const MOVES = { ArrowUp: 'up', ArrowDown: 'down' };

/**
 * What the answer says of a message.
 * @typedef {{number: number, found: ChatMessage, control: ControlToken[], tokens: import('./token_row.js').RowToken[],
 *   colour: string}} Seen
 */

export class MessageRow extends LabElement {
  #number = 0;
  #role = select('message-role', role => this.emit('edit', { role }));
  #text = h('textarea', { spellcheck: false, dir: 'auto', 'data-role': 'message-text', oninput: () => this.#edited() });
  #problem = h('p', { class: 'field-problem', hidden: true }, 'This is no JSON object. The tokens are those before.');
  #left = h('div', { class: 'chat-left-out' });
  #tokens = h('bdi', { class: 'chat-tokens', dir: 'ltr' });
  #warning = h('div', { class: 'chat-control', hidden: true });
  #own = h('b', { class: 'number' });
  #around = h('span', { class: 'number' });
  #acts = [
    this.#act('up', 'Move up', ICONS.up),
    this.#act('down', 'Move down', ICONS.down),
    this.#act('remove', 'Remove', ICONS.cross),
  ];

  render() {
    this.role = 'group';
    this.addEventListener('keydown', event => {
      const act = event.altKey && MOVES[event.key];
      if (!act || closest(event, 'select')) return;
      event.preventDefault();
      this.emit('act', act);
    });
    const head = h('div', { class: 'chat-message-head' }, this.#role, h('span', { class: 'grow' }), ...this.#acts);
    this.append(
      h('div', { class: 'chat-message-side' }, head, this.#text, this.#problem, this.#left),
      h('div', { class: 'chat-message-tokens' }, this.#tokens, this.#warning),
      h('div', { class: 'chat-message-counts', 'data-role': 'message-count' }, this.#own, this.#around),
    );
  }

  /** @param {'up'|'down'|'remove'} act @param {string} name @param {string} path */
  #act(act, name, path) {
    const hint = act === 'remove' ? name : `${name} (Alt+${act === 'up' ? '↑' : '↓'})`;
    const more = { class: 'button', title: hint, 'data-act': act, 'aria-label': name };
    return actionButton(icon(path, 14), () => this.emit('act', act), more);
  }

  /** @param {Message} message @param {number} number from 0 @param {number} most of messages */
  setMessage(message, number, most) {
    this.#number = number;
    this.dataset.of = message.role;
    this.ariaLabel = `Message ${number + 1}, ${message.role}`;
    const roles = ROLES.includes(message.role) ? ROLES : [...ROLES, message.role];
    offer(
      this.#role,
      roles.map(value => ({ value, label: value })),
    );
    choose(this.#role, message.role);
    this.#role.ariaLabel = `Role of message ${number + 1}`;
    this.#text.ariaLabel = `${message.isJson ? 'Fields' : 'Text'} of message ${number + 1}`;
    this.#text.classList.toggle('json', message.isJson);
    if (this.#text.value !== message.body) this.#text.value = message.body;
    this.#text.rows = Math.min(12, Math.max(1, message.body.split('\n').length));
    this.#problem.hidden = fieldsOf(message) !== null;
    this.#acts[0].disabled = number === 0;
    this.#acts[1].disabled = number === most - 1;
  }

  /** @param {Seen|null} seen null: the answer knows no such message */
  show(seen) {
    drawnOnce(this.#tokens, seen && [seen.tokens, seen.colour], () => (seen ? tokenRow(seen.tokens, seen.colour) : []));
    this.#tokens.ariaLabel = `Tokens of message ${this.#number + 1}`;
    setText(this.#own, seen ? count(seen.found.count) : '');
    setText(this.#around, seen && seen.found.template_count !== null ? `+ ${count(seen.found.template_count)}` : '');
    const left = seen?.found.left_out ?? [];
    drawnOnce(this.#left, left, () =>
      left.map(({ field, text, count: tokens }) =>
        h(
          'p',
          {},
          h('s', {}, text.length > 300 ? `${text.slice(0, 300)}…` : text),
          h('span', { class: 'warning' }, `${field} left out, ${plural(tokens, 'token')}`),
        ),
      ),
    );
    this.#showControl(seen);
  }

  /** @param {Seen|null} seen */
  #showControl(seen) {
    const found = seen?.found;
    const isSpelled = Boolean(seen?.control.length || found?.as_text);
    this.#warning.hidden = !isSpelled;
    if (!seen || !found || !isSpelled) return;
    const isText = found.as_text && !seen.control.length;
    const words = isText
      ? 'Control tokens of this message are text.'
      : `${found.as_text ? 'The model lists these as ordinary tokens, too. ' : ''}${readWords(seen.control)}`;
    drawnOnce(this.#warning, [words, found.count, found.other_count, found.as_text], () => [
      h('span', { class: isText ? 'faint' : 'chat-bad' }, words),
      actionButton(
        found.as_text ? 'Parse them' : 'Encode as text',
        () => this.emit('edit', { asText: !found.as_text }),
        {
          'data-role': 'as-text',
          'data-key': 'as-text',
        },
      ),
      h('span', { class: 'faint' }, otherWords(found.count, found.other_count)),
    ]);
  }

  #edited() {
    this.emit('edit', { body: this.#text.value });
  }

  focusText() {
    this.#text.focus();
  }

  /** @param {'up'|'down'|'remove'} act */
  focusAct(act) {
    const button = this.#acts.find(each => each.dataset.act === act);
    (button?.disabled ? this.#text : button)?.focus();
  }
}

customElements.define('message-row', MessageRow);
