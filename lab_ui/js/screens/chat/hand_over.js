/** What leaves Chat, as text to copy and as files: IDs, mask, messages, a suite; and what comes in. */
import { saveFile } from '../../app/files/files.js';
import { MenuButton } from '../../ui/menu_button.js';
/** @import {Asked} from '../../api/chat.js' */
/** @import {Chat} from '../../api/schema.d.ts' */

const COPIES = [
  { value: 'ids', label: 'IDs' },
  { value: 'mask', label: 'Mask' },
  { value: 'json', label: 'IDs, mask and messages (JSON)' },
];
const FILES = [
  { value: 'chat', label: 'IDs, mask and messages (JSON)' },
  { value: 'messages', label: 'Messages (JSON)' },
  { value: 'suite', label: 'Suite of expected IDs and mask (JSON)' },
];

/** @typedef {{chat: Chat, asked: Asked}} Shown an answer, and the question that it answers */

/**
 * @param {import('../../app/context.js').Context} context @param {() => Shown|null} shown
 * @param {() => void} open lets the user choose a file of messages
 */
export function handOverMenu({ clipboard, status, activity }, shown, open) {
  const menu = new MenuButton();
  menu.label = 'Export';
  menu.hook = 'export-chat';
  menu.group('Conversation', menu.item('Open messages (JSON)', open));
  /** @param {(words: string, what: string) => void} take */
  const written = take => (/** @type {string} */ what) => {
    const found = shown();
    if (found) take(textOf(what, found), what);
  };
  menu.offer('Copy', COPIES, {
    hook: 'copy',
    choose: written(words => activity.track(clipboard.copy(words, 'Copied'))),
  });
  menu.offer('Save as', FILES, {
    hook: 'save',
    choose: written((words, what) => {
      const name = what === 'suite' ? 'chat.suite.json' : `${what}.json`;
      saveFile(name, new Blob([words], { type: 'application/json' }));
      status.announce(`${name} is saved`);
    }),
  });
  return menu;
}

/** @param {string} what @param {Shown} shown @returns {string} */
function textOf(what, { chat, asked }) {
  if (what === 'ids') return JSON.stringify(chat.ids);
  if (what === 'mask') return JSON.stringify(chat.mask);
  if (what === 'suite') return JSON.stringify(suiteOf(chat, asked), null, 1);
  if (what === 'messages') return JSON.stringify(asked.messages, null, 2);
  return JSON.stringify(chat, null, 1);
}

/** A suite for `tokenlab check` with a chat as its case. @param {Chat} chat @param {Asked} asked */
function suiteOf({ ids, mask }, { mask: mask_by, ...asked }) {
  const chat = { name: 'chat', ...asked, ids, ...(mask && { mask, mask_by }) };
  return { kind: 'suite of the Tokenization Laboratory', version: 1, name: 'chat', cases: [chat] };
}
