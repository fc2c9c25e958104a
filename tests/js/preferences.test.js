import assert from 'node:assert/strict';
import test from 'node:test';
import { Preferences } from '../../lab_ui/js/api/preferences.js';

/** A backend that answers when it is asked to. */
function slowBackend() {
  const sent = [];
  const waiting = [];
  const fetch = (_path, { body }) => {
    sent.push(JSON.parse(body));
    return new Promise(resolve => waiting.push(() => resolve(new Response(null, { status: 204 }))));
  };
  Object.assign(globalThis, { fetch });
  return { sent, answer: () => waiting.shift()() };
}
const turn = () => new Promise(resolve => setTimeout(resolve));

test('a save waits for the one before, and sends the latest values only', async () => {
  const { sent, answer } = slowBackend();
  const preferences = new Preferences();
  preferences.save({ size: 1 });
  const first = preferences.flush();
  await turn();
  preferences.save({ size: 2 });
  const second = preferences.flush();
  preferences.save({ size: 3 });
  await turn();
  assert.deepEqual(sent, [{ size: 1 }], 'the first is still under way');
  answer();
  await first;
  await turn();
  assert.deepEqual(sent, [{ size: 1 }, { size: 3 }]);
  answer();
  await second;
  assert.equal(sent.length, 2);
});

test('a page that closes does not wait', async () => {
  const { sent } = slowBackend();
  const preferences = new Preferences();
  preferences.save({ size: 1 });
  preferences.flush();
  await turn();
  preferences.save({ size: 2 });
  preferences.flush({ isClosing: true });
  assert.deepEqual(sent, [{ size: 1 }, { size: 2 }]);
});

test('what was changed is sent, and what could not be saved is sent with the next change', async () => {
  const sent = [];
  const answers = [new Response('{"error": {"code": "too_large", "message": "no", "hint": ""}}', { status: 413 })];
  const fetch = async (_path, { method, body }) => {
    sent.push([method, JSON.parse(body)]);
    return answers.shift() ?? Response.json({});
  };
  Object.assign(globalThis, { fetch });
  const preferences = new Preferences();
  preferences.save({ size: 1 });
  preferences.save({ sets: { mine: ['gpt2'] } });
  await preferences.flush();
  preferences.save({ size: 2 });
  await preferences.flush();
  await preferences.flush();
  assert.deepEqual(sent, [
    ['PATCH', { size: 1, sets: { mine: ['gpt2'] } }],
    ['PATCH', { size: 2, sets: { mine: ['gpt2'] } }],
  ]);
});
