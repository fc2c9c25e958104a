import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenizerDialog } from '../../lab_ui/js/app/tokenizers/tokenizer_dialog.js';

/** A dialog over fetches that the test ends: `asked` are their ids and tokens. */
function opened() {
  const asked = [];
  const fetch = (id, token) => new Promise((resolve, reject) => asked.push({ id, token, resolve, reject }));
  const element = Object.assign(new EventTarget(), { isOpen: true, problem: null, show() {}, close() {} });
  const catalog = Object.assign(new EventTarget(), {
    entries: [],
    chosen: [],
    fetching: [],
    patterns: [],
    use: ids => ids,
    fetch,
    fetchFromHub: fetch,
  });
  const none = /** @type {any} */ ({});
  const settings = /** @type {any} */ ({ on() {}, set() {} });
  const jobs = /** @type {any} */ (new EventTarget());
  const dialog = new TokenizerDialog(
    /** @type {any} */ (element),
    /** @type {any} */ (catalog),
    settings,
    none,
    jobs,
    () => {},
  );
  const tell = (type, detail) => element.dispatchEvent(new CustomEvent(type, { detail }));
  const refuse = async (at, message) => {
    asked[at].reject(Object.assign(new Error(message), { code: 'gated' }));
    await new Promise(resolve => setImmediate(resolve));
  };
  return { asked, element, dialog, tell, refuse };
}

test('a token is for the download whose error asks for it, not for one that began later', async () => {
  const { asked, element, tell, refuse } = opened();
  tell('hub', 'org/gated');
  tell('fetch', 'other');
  await refuse(0, 'org/gated asks you to accept its terms');
  assert.equal(element.problem.message, 'org/gated asks you to accept its terms');
  tell('token', 'hf_a');
  assert.deepEqual([asked.length, asked[2].id, asked[2].token], [3, 'org/gated', 'hf_a']);
  await refuse(2, 'again');
  tell('token', 'hf_b');
  assert.deepEqual([asked[3].id, asked[3].token], ['org/gated', 'hf_b']);
});

test('a token is for what a chosen pair lacked, not for an earlier download', async () => {
  const { asked, dialog, tell, refuse } = opened();
  tell('fetch', 'earlier');
  await refuse(0, 'no');
  dialog.use(['pair']);
  await refuse(1, 'pair asks you to accept its terms');
  tell('token', 'hf_a');
  assert.deepEqual([asked[2].id, asked[2].token], ['pair', 'hf_a']);
});

test('a token leads nowhere once its error is gone', async () => {
  const { asked, tell, refuse } = opened();
  tell('fetch', 'one');
  await refuse(0, 'no');
  tell('fetch', 'two');
  tell('token', 'hf_a');
  assert.equal(asked.length, 2);
});
