import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog } from '../../lab_ui/js/app/tokenizers/catalog.js';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';

const entry = (id, more = {}) => ({ id, name: id.toUpperCase(), available: true, problem: null, ...more });

function catalogOf(entries, client = {}, jobs = {}) {
  const settings = new Settings();
  settings.define('', SHARED);
  const list = { listTokenizers: async () => ({ tokenizers: entries, patterns: ['p'] }) };
  const forgotten = [];
  const vocabulary = { forget: id => forgotten.push(id) };
  const catalog = new Catalog(
    settings,
    /** @type {any} */ (jobs),
    /** @type {any} */ (vocabulary),
    /** @type {any} */ ({ ...list, ...client }),
  );
  return { catalog, settings, forgotten };
}

test('the tokenizers of the last time are in use, as far as they can be, with their letters', async () => {
  const { catalog, settings } = catalogOf([entry('a'), entry('b', { problem: {} }), entry('c')]);
  settings.accept({ chosen: ['gone', 'c', 'b'], letters: { c: 'F', a: 'A' } });
  await catalog.load();
  catalog.choose(catalog.chosen);
  assert.deepEqual(catalog.chosen, ['c']);
  assert.equal(catalog.letterOf('c'), 'F');
  catalog.add('a');
  assert.equal(catalog.letterOf('a'), 'A');
  assert.equal(settings.get('letters').c, 'F');
});

test('a new lab begins with the first choice, or with what there is', async () => {
  const names = ['x', 'gpt2', 'bert-base-uncased'];
  const first = catalogOf(names.map(name => entry(name))).catalog;
  await first.load();
  first.choose([]);
  assert.deepEqual(first.chosen, ['bert-base-uncased', 'gpt2']);
  const others = catalogOf(['x', 'y', 'z'].map(name => entry(name))).catalog;
  await others.load();
  others.choose([]);
  assert.deepEqual(others.chosen, ['x', 'y']);
});

test('eight tokenizers can be in use', async () => {
  const { catalog } = catalogOf([]);
  for (const id of '12345678') assert.equal(catalog.add(id), true);
  assert.equal(catalog.add('9'), false);
  assert.equal(catalog.add('1'), true, 'it is in use');
});

test('a tokenizer that was fetched is used; what is under way can be seen', async () => {
  const entries = [entry('a', { available: false })];
  const seen = [];
  let finish;
  const jobs = { follow: () => new Promise(resolve => (finish = resolve)) };
  const { catalog } = catalogOf(entries, { startKnown: async id => ({ id: `job of ${id}` }) }, jobs);
  await catalog.load();
  catalog.addEventListener('change', () => seen.push(catalog.fetching.join()));
  const fetched = catalog.fetch('a');
  await null;
  await null;
  entries[0].available = true;
  finish(entry('a'));
  await fetched;
  assert.deepEqual(catalog.chosen, ['a']);
  assert.deepEqual([seen[0], seen.at(-1)], ['a', '']);
});

test('a ninth tokenizer stays in the library, and it is said', async () => {
  const { catalog } = catalogOf([], { addFiles: async () => ({ id: 'nine' }) });
  for (const id of '12345678') catalog.add(id);
  await assert.rejects(catalog.addFiles([], ''), /nine is in the library, but 8 tokenizers are in use/);
});

test('a tokenizer gets another name, and keeps its id', async () => {
  const asked = [];
  const { catalog } = catalogOf([entry('b', { name: 'New' })], {
    renameTokenizer: async (...given) => asked.push(given),
  });
  await catalog.rename('b', 'New');
  assert.deepEqual([asked, catalog.nameOf('b')], [[['b', 'New']], 'New']);
});

test('a tokenizer that was removed is forgotten', async () => {
  const { catalog, forgotten } = catalogOf([entry('b')], { removeTokenizer: async () => {} });
  catalog.add('a');
  await catalog.delete('a');
  assert.deepEqual([catalog.chosen, forgotten, catalog.entries.length], [[], ['a'], 1]);
});

test('a tokenizer that was replaced by another one of its name has another revision', () => {
  const { catalog } = catalogOf([]);
  catalog.entries = [entry('a', { sha256: '1', revision: null })];
  const before = catalog.revisionOf('a');
  assert.equal(catalog.revisionOf('a'), before);
  catalog.entries = [entry('a', { sha256: '2', revision: null })];
  assert.notEqual(catalog.revisionOf('a'), before);
});
