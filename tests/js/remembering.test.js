import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Preferences } from '../../lab_ui/js/api/preferences.js';
import { Remembering } from '../../lab_ui/js/app/remembering.js';
import { Settings } from '../../lab_ui/js/app/settings.js';
import { SHARED } from '../../lab_ui/js/app/shared_settings.js';

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

/** A page whose backend answers the first question with `answer`. @param {() => Response} answer */
async function pageOf(answer) {
  const sent = [];
  const fetch = async (_path, { method, body, keepalive }) => {
    if (method === 'GET') return answer();
    sent.push({ preferences: JSON.parse(body), keepalive: Boolean(keepalive) });
    return new Response(null, { status: 204 });
  };
  Object.assign(globalThis, { fetch });
  const settings = new Settings();
  settings.define('', SHARED);
  const source = { name: null, encoding: 'UTF-8' };
  const session = { text: '', source, setText: text => Object.assign(session, { text }) };
  const preferences = new Preferences();
  const remembering = new Remembering(settings, /** @type {any} */ (session), preferences);
  const notKept = await remembering.restore();
  remembering.start();
  return { notKept, settings, session, preferences, sent };
}

const saved = { theme: 'dark', chosen: ['gpt2'] };

test('a change is saved with what was remembered before', async () => {
  const { settings, preferences, sent } = await pageOf(() => Response.json(saved));
  assert.equal(settings.get('theme'), 'dark');
  settings.set({ singleKeys: false });
  await preferences.flush();
  const { theme, chosen, singleKeys } = sent[0].preferences;
  assert.deepEqual([sent.length, theme, chosen, singleKeys], [1, 'dark', ['gpt2'], false]);
});

test('preferences that could not be read are not replaced', async () => {
  for (const answer of [() => Response.error(), () => Response.json({}, { status: 503 })]) {
    const { settings, preferences, sent } = await pageOf(answer);
    settings.set({ singleKeys: false });
    await preferences.flush();
    onPage.get('pagehide')();
    assert.deepEqual(sent, []);
  }
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
