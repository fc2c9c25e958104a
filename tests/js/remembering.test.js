import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Remembering } from '../../lab_ui/js/app/state/remembering.js';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';

/** Acts of the page's events, by name. @type {Map<string, () => void>} */
const onPage = new Map();

beforeEach(() => {
  onPage.clear();
  const kept = new Map();
  const sessionStorage = {
    setItem: (key, value) => kept.set(key, value),
    getItem: key => kept.get(key) ?? null,
    removeItem: key => kept.delete(key),
  };
  Object.assign(globalThis, { sessionStorage, addEventListener: (name, act) => onPage.set(name, act) });
});

/**
 * A page whose backend answers the first question with `answer`, and each request to save with `toSave`.
 * @param {() => Response} answer @param {() => Response} [toSave]
 */
async function pageOf(answer, toSave = () => new Response(null, { status: 204 })) {
  const sent = [];
  const fetch = async (_path, { method, body, keepalive }) => {
    if (method === 'GET') return answer();
    sent.push({ preferences: JSON.parse(body), keepalive: Boolean(keepalive) });
    return toSave();
  };
  Object.assign(globalThis, { fetch });
  const settings = new Settings();
  settings.define('', SHARED);
  const source = { name: null, encoding: 'UTF-8' };
  const session = { text: '', source, setText: text => Object.assign(session, { text }) };
  const shown = [];
  const remembering = new Remembering(settings, /** @type {any} */ (session), error => shown.push(error));
  const notKept = await remembering.restore();
  remembering.start();
  // Nobody waits for the delay of saving: leaving the page saves at once.
  const save = async () => {
    onPage.get('pagehide')();
    await new Promise(resolve => setTimeout(resolve));
  };
  return { notKept, settings, session, save, shown, sent };
}

const saved = { theme: 'dark', chosen: ['gpt2'] };

test('a change is saved, and what was remembered before is left alone', async () => {
  const { settings, save, sent } = await pageOf(() => Response.json(saved));
  assert.equal(settings.get('theme'), 'dark');
  settings.set({ singleKeys: false });
  await save();
  assert.deepEqual(
    sent.map(({ preferences }) => preferences),
    [{ singleKeys: false }],
  );
});

test('preferences that could not be read are not replaced', async () => {
  for (const answer of [() => Response.error(), () => Response.json({}, { status: 503 })]) {
    const { settings, save, sent } = await pageOf(answer);
    settings.set({ singleKeys: false });
    await save();
    assert.deepEqual(sent, []);
  }
});

test('preferences that cannot be read are missed aloud', async () => {
  const error = { code: 'store_error', message: 'the database x is damaged', hint: 'repair it' };
  const { notKept } = await pageOf(() => Response.json({ error }, { status: 503 }));
  assert.match(notKept.message, /could not be read, and changes are not saved: the database x is damaged\.$/);
  assert.equal(notKept.hint, 'repair it');
});

test('a change just before the page is closed is saved all the same', async () => {
  const { settings, sent } = await pageOf(() => Response.json(saved));
  settings.set({ singleKeys: false });
  onPage.get('pagehide')();
  assert.deepEqual(
    sent.map(({ preferences, keepalive }) => [preferences.singleKeys, keepalive]),
    [[false, true]],
  );
});

test('a refused save is told once, and again after one that worked', async () => {
  const refusal = () =>
    Response.json(
      { error: { code: 'too_large', message: 'they have 64001 bytes', hint: 'remove a prepared text' } },
      { status: 413 },
    );
  const answers = [refusal, refusal, () => new Response(null, { status: 204 }), refusal];
  const page = await pageOf(
    () => Response.json(saved),
    () => answers.shift()(),
  );
  const told = [];
  for (const singleKeys of [false, true, false, true]) {
    page.settings.set({ singleKeys });
    await page.save();
    told.push(page.shown.length);
  }
  assert.deepEqual(told, [1, 1, 1, 2]);
  assert.equal(page.shown[0].message, 'The settings and prepared texts were not saved: they have 64001 bytes.');
  assert.equal(page.shown[0].hint, 'remove a prepared text');
});

test('a text that is too long to be kept over a reload is missed aloud, once', async () => {
  const { session, notKept } = await pageOf(() => Response.json(saved));
  assert.equal(notKept, null);
  session.setText('x'.repeat(2_000_001));
  onPage.get('pagehide')();
  const again = await pageOf(() => Response.json(saved));
  assert.match(again.notKept.message, /2.000.001 UTF-16 code units was not kept over the reload/);
  assert.match(again.notKept.hint, /2.000.000/);
  assert.ok(again.session.text.length < 2000, 'the sample text');
  onPage.get('pagehide')();
  assert.equal((await pageOf(() => Response.json(saved))).notKept, null);
});
