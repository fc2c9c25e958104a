/** Text of a document in one line: spaces stay, what would break or reorder the line is named. */
import { HIDDEN, nameOf } from '../text/visible_text.js';
import { codePointOf } from '../util/unicode.js';
import { h } from './dom.js';

/** What would reorder the line, or end it. */
const NAMED = new RegExp(`(${HIDDEN.source}|[\\n\\t])`, 'u');

/** Text around an occurrence: spaces stay, what would break the line is named. @param {string} text */
export const contextNodes = text =>
  text
    .split(NAMED)
    .map((part, at) => (at % 2 ? h('span', { class: 'named' }, nameOf(codePointOf(part))) : part))
    .filter(part => part !== '');
