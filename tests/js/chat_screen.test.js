/** Chat as a screen: what it writes and shows while an answer is late, or an error; with the mouse: test_chat.py. */
import './page.js';
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';
import { SETTINGS } from '../../lab_ui/js/screens/chat/settings.js';

const { default: ChatScreen } = await import('../../lab_ui/js/screens/chat/screen.js');

const MESSAGES = [{ role: 'user', content: 'Hi' }];

/** An answer with one token for each message. @param {import('../../lab_ui/js/api/chat.js').Asked} asked */
const answerTo = ({ messages }) => ({
  count: messages.length,
  ids: messages.map(({ content }) => content.length),
  mask: messages.map(() => 1),
  text: messages.map(() => 'x').join(''),
  messages: messages.map(({ role }) => ({ role, count: 1, template_count: 0, left_out: [], as_text: false })),
  template_count: 0,
  control_tokens: [],
  budget: null,
  warnings: [],
  tokens: {
    texts: messages.map(() => 'x'),
    spans_utf16: messages.map((_, n) => [n, n + 1]),
    messages: messages.map((_, n) => n),
    sources: messages.map(() => 1),
    special: messages.map(() => 0),
  },
});

/**
 * The screen with GPT-2 and a backend that answers as told.
 * @param {Object<string, any>} [client] @param {Object<string, any>} [values] of settings
 */
async function opened(client = {}, values = {}) {
  const settings = new Settings();
  settings.define('', SHARED);
  settings.define('chat', SETTINGS);
  settings.set({ chosen: ['gpt2'], active: 'gpt2', showPanel: false, 'chat.conversation': JSON.stringify(MESSAGES) });
  settings.set(values);
  const asked = [];
  const screen = new ChatScreen(
    /** @type {any} */ ({
      chatTemplates: async () => ({ templates: [], built_in: ['chatml'] }),
      checkChat: async () => ({ checks: [] }),
      seeChat: async question => {
        asked.push(question);
        return answerTo(question);
      },
      ...client,
    }),
  );
  const context = {
    settings,
    activity: { track: work => work },
    status: { note() {}, now() {}, announce() {}, showError() {} },
    catalog: Object.assign(new EventTarget(), { entries: [], nameOf: id => id }),
  };
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  screen.mount(root, /** @type {any} */ (context));
  await screen.activate();
  const count = () => root.querySelector('[data-role=chat-count]')?.textContent;
  return { screen, settings, root, asked, count };
}

/** What the screen saves as a file. @param {HTMLElement} root @param {string} what */
async function saved(root, what) {
  let file = new Blob();
  URL.createObjectURL = blob => {
    file = /** @type {Blob} */ (blob);
    return 'blob:saved';
  };
  const timer = mock.method(globalThis, 'setTimeout', () => 0); // the address of the file is kept for a minute
  const control = /** @type {HTMLElement} */ (root.querySelector(`[data-role=save-${what}]`));
  control.click();
  timer.mock.restore();
  return JSON.parse(await file.text());
}

test('a suite holds the question that its IDs answer, whatever was typed since', async () => {
  const { screen, root, asked } = await opened();
  const suite = async () => (await saved(root, 'suite')).cases[0];
  const { now, ...first } = await suite();
  assert.match(now, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  assert.equal(now, asked[0].now, 'the template is rendered at the moment that the suite has');
  const expected = { ids: [2], mask: [1], mask_by: 'template', as_text: [], add_generation_prompt: true };
  assert.deepEqual(first, { name: 'chat', tokenizer: 'gpt2', template: 'chatml', messages: MESSAGES, ...expected });
  screen.change(messages => [{ ...messages[0], body: 'Hello', asText: true }, ...messages]);
  assert.deepEqual(await suite(), { now, ...first });
  screen.change(messages => messages.map(message => ({ ...message, isJson: true, body: '{' })));
  assert.deepEqual(await suite(), { now, ...first });
  assert.deepEqual(await saved(root, 'messages'), MESSAGES);
  screen.destroy();
});

test('no figure and no file is left under an error', async () => {
  let isWrong = false;
  const { screen, root, count } = await opened({
    seeChat: async question => {
      if (isWrong) throw new Error('the template refuses these messages');
      return answerTo(question);
    },
  });
  assert.equal(count(), '1');
  isWrong = true;
  await screen.activate();
  assert.equal(count(), '–');
  assert.equal(root.querySelector('[data-role=error]')?.textContent, 'the template refuses these messages');
  assert.equal(/** @type {any} */ (root.querySelector('[data-role=export-chat]'))?.closest('[hidden]') !== null, true);
  isWrong = false;
  await screen.activate();
  assert.equal(count(), '1');
  screen.destroy();
});

/** @param {number} size tokens, of which every second differs */
const driftOf = size => ({
  sampled: Array.from({ length: size }, (_, n) => n),
  encoded: Array.from({ length: size }, (_, n) => n),
  sampled_texts: Array(size).fill('x'),
  encoded_texts: Array(size).fill('x'),
  places: Array.from({ length: size / 2 }, (_, n) => ({
    kind: 'not canonical',
    sampled: [2 * n, 2 * n + 1],
    encoded: [2 * n, 2 * n + 1],
  })),
  first: 0,
  reason: null,
  same_text: true,
  other_tokenizer: false,
});
const END = { ids: [1], stable: 1, changing: 0, tried: 3, example: null, rest: '', candidates: 0 };

test('a prompt is tested again after an error and after another screen, and beside IDs that are none', async () => {
  const prompts = [];
  let isWrong = true;
  const client = {
    compareSampled: async () => driftOf(4),
    promptEnd: async (_, prompt) => {
      prompts.push(prompt);
      if (isWrong) throw new Error('out of memory');
      return END;
    },
  };
  const { screen, settings, root } = await opened(client, { 'chat.view': 'drift', 'chat.ending': 'a' });
  const answer = () => root.querySelector('[data-role=prompt-answer]')?.textContent;
  assert.deepEqual([prompts.length, answer()], [1, 'out of memory']);
  isWrong = false;
  await screen.activate();
  assert.match(answer() ?? '', /stable/);
  await screen.activate();
  assert.equal(prompts.length, 2, 'an answer that is shown is not asked again');
  screen.deactivate();
  settings.set({ 'chat.sampled': 'none', 'chat.ending': 'b' });
  await screen.activate();
  assert.deepEqual(prompts.slice(2), ['b']);
  screen.destroy();
});

test('IDs that differ are marked, and so many as can be drawn', async () => {
  let size = 6;
  const client = { compareSampled: async () => driftOf(size), promptEnd: async () => END };
  const { screen, root } = await opened(client, { 'chat.view': 'drift' });
  const faces = () => [...root.querySelectorAll('.chat-drift-ids span')];
  assert.deepEqual(
    faces().map(face => face.className),
    ['changed', '', 'changed', '', 'changed', ''],
  );
  size = 12_000;
  await screen.activate();
  assert.equal(faces().at(-1)?.textContent, 'and 7\u202f000 more');
  assert.equal(faces().length, 5001);
  screen.destroy();
});
