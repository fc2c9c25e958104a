import assert from 'node:assert/strict';
import test from 'node:test';
import { linkTo, readLink } from '../../lab_ui/js/app/state/links.js';
import { readAddress } from '../../lab_ui/js/app/state/router.js';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';
import { COLOURS } from '../../lab_ui/js/text/token_colour.js';
import { COMPARE } from '../../lab_ui/js/screens/compare/settings.js';
import { SETTINGS as CHAT } from '../../lab_ui/js/screens/chat/settings.js';
import { INSPECT } from '../../lab_ui/js/screens/inspect/settings.js';

const NONE = new URLSearchParams();

function settingsWith(patch = {}) {
  const settings = new Settings();
  settings.define('', SHARED);
  settings.define('inspect', INSPECT);
  settings.define('compare', COMPARE);
  settings.define('chat', CHAT);
  settings.set(patch);
  return settings;
}

/** What a link says. */
function read(hash) {
  const { screen, query } = readAddress(hash);
  return { screen, ...readLink(settingsWith(), screen, query) };
}

test('a link leaves out what is at its default', () => {
  assert.equal(linkTo(settingsWith(), 'inspect', NONE, 'x'.repeat(2001)), '#/inspect');
  assert.equal(linkTo(settingsWith({ chosen: ['gpt2'] }), 'inspect', NONE, ''), '#/inspect?t=gpt2&text=');
});

test('a link says the settings of its own screen, and those that all share', () => {
  const settings = settingsWith({
    chosen: ['a', 'b'],
    'inspect.view': 'table',
    'compare.view': 'side',
    showIds: false,
  });
  assert.equal(linkTo(settings, 'inspect', NONE, 'x'.repeat(2001)), '#/inspect?t=a&t=b&ids=0&view=table');
  assert.equal(linkTo(settings, 'compare', NONE, 'x'.repeat(2001)), '#/compare?t=a&t=b&ids=0&compare=side');
});

test('a text comes back as it was', () => {
  const text = 'a & b?\n日本語 #/x=%41 👩‍🔬 <script>';
  const found = read(linkTo(settingsWith({ chosen: ['gpt2'] }), 'compare', new URLSearchParams('q=1'), text));
  assert.deepEqual([found.screen, found.text, found.params.toString()], ['compare', text, 'q=1']);
});

test('long texts and halves of characters stay out', () => {
  assert.equal(read(linkTo(settingsWith({ chosen: ['a'] }), 'inspect', NONE, 'x'.repeat(2001))).text, null);
  assert.equal(read(linkTo(settingsWith({ chosen: ['a'] }), 'inspect', NONE, '\ud83d')).text, null);
});

test('a link changes nothing that it does not name, unless it names tokenizers', () => {
  assert.deepEqual(read('#/inspect').values, {});
  assert.deepEqual(read('#/inspect?ids=0').values, { showIds: false });
  const { values } = read('#/inspect?t=gpt2&ids=0');
  assert.equal(values.showIds, false);
  assert.equal(values['inspect.view'], 'text');
  assert.equal('compare.view' in values, false, 'another screen is not its business');
});

test('wrong values are left out', () => {
  const { values } = read('#/inspect?specials=never&view=nothing&add=maybe&ids=0&colour=red&every=0.5');
  assert.deepEqual(values, { showIds: false });
});

test('no more than eight tokenizers, each once', () => {
  const { values } = read(`#/compare?${[...'aabcdefghijk'].map(id => `t=${id}`).join('&')}`);
  assert.deepEqual(values.chosen, [...'abcdefgh']);
});

test('links of random settings are read as those settings', () => {
  let seed = 1;
  const random = n => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const oneOf = list => list[random(list.length)];
  const some = list => list.filter(() => random(2));
  for (let round = 0; round < 300; round++) {
    const ids = some(['gpt2', 'bert-base-uncased', 'my-own_1', 'ö & ü', 'o200k_base']);
    const chosen = ids.length ? ids : ['gpt2'];
    const settings = settingsWith({
      chosen,
      active: oneOf(chosen),
      addSpecialTokens: Boolean(random(2)),
      specials: oneOf(['parse', 'text', 'reject']),
      ignoreSpaces: Boolean(random(2)),
      showIds: Boolean(random(2)),
      showWhiteSpace: Boolean(random(2)),
      colourBy: oneOf(COLOURS).value,
      'inspect.view': oneOf(['text', 'table', 'bytes', 'ids']),
      'inspect.showChanges': Boolean(random(2)),
      'inspect.showSteps': Boolean(random(2)),
      'inspect.showChunks': Boolean(random(2)),
      'inspect.chunkSize': 1 + random(1000),
      'compare.view': oneOf(['aligned', 'side', 'table']),
      'compare.baseline': oneOf(chosen),
      'compare.hidden': some(chosen),
    });
    for (const screen of ['inspect', 'compare']) {
      const link = linkTo(settings, screen, NONE, 'text');
      const again = settingsWith({ showIds: false, 'inspect.chunkSize': 7, 'compare.view': 'table' });
      again.accept(read(link).values);
      const own = name => !name.includes('.') || name.startsWith(`${screen}.`);
      for (const name of settings.names.filter(own)) assert.deepEqual(again.get(name), settings.get(name), name);
      assert.equal(linkTo(again, screen, NONE, 'text'), link);
    }
  }
});

test("the user's texts are in links and sessions where they are short, and stay where a link has none", () => {
  const messages = JSON.stringify([{ role: 'user', content: 'Hi & bye' }]);
  const settings = settingsWith({
    chosen: ['gpt2'],
    'chat.conversation': messages,
    'chat.ownTemplate': 'x'.repeat(2001),
  });
  const { values } = read(linkTo(settings, 'chat', NONE, ''));
  assert.equal(values['chat.conversation'], messages);
  assert.ok(!('chat.ownTemplate' in values), 'a long one is left alone');
  assert.ok(!('chat.sampled' in values), 'and one that says nothing');
  assert.ok('chat.template' in values);
  assert.equal(settings.view['chat.conversation'], messages);
  assert.equal(settings.view['chat.ownTemplate'].length, 2001);
  assert.ok(!('chat.sampled' in settings.view));
  settings.set({ 'chat.ownTemplate': 'x'.repeat(8001) });
  assert.ok(!('chat.ownTemplate' in settings.view));
});
