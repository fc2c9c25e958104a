/** The chosen token of the chat: what it is, who wrote it, whether a model is trained on it. A tab of the drawer. */
import { drawnOnce, h } from '../../../ui/dom.js';
import { facts } from '../../../ui/facts.js';
import { labelNodes } from '../../../ui/tokens/token_label.js';
import { count } from '../../../util/format.js';
/** @import {Chat} from '../../../api/schema.d.ts' */

const NONE = 'Press a token, or n and p, to see what it is.';
const SOURCES = ['the template', 'the message', 'both the message and the template'];

export class TokenFacts {
  element = h('div', { class: 'chat-token-tab', 'data-role': 'chat-token-facts' });

  /** @param {Chat|null} chat @param {number} index of the token; negative: none */
  show(chat, index) {
    drawnOnce(this.element, [chat, index], () =>
      chat && index >= 0 && index < chat.ids.length ? factNodes(chat, index) : [h('p', { class: 'dim' }, NONE)],
    );
  }
}

/** @param {Chat} chat @param {number} index @returns {Node[]} */
function factNodes({ ids, mask, messages, text, tokens }, index) {
  const id = ids[index];
  const span = tokens.spans_utf16?.[index];
  const message = tokens.messages[index];
  const source = tokens.sources?.[index];
  const spelling = tokens.texts[index];
  return [
    h(
      'p',
      { class: 'mono' },
      ...(spelling === null ? ['a part of a character'] : labelNodes({ text: spelling, bytes: '' })),
    ),
    facts([
      ['Place', `token ${count(index + 1)} of ${count(ids.length)}`],
      ['ID', String(id)],
      ['Text', span ? text.slice(...span) : null],
      ['Message', message === null ? 'none' : `${count(message + 1)}, ${messages[message].role}`],
      ['Written by', source === undefined ? null : SOURCES[source]],
      ['Control token', tokens.special[index] ? 'yes' : 'no'],
      ['Trained on', mask === null ? 'unknown: the template marks no answers' : mask[index] ? 'yes' : 'no'],
    ]),
    h('a', { class: 'button link', href: `#/vocabulary?q=${id}&mode=ids` }, 'Show in Vocabulary'),
  ];
}
