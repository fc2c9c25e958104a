/** The table of the Library: rows in groups, their order, the search, and which of them are in use. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ENTRIES } from './catalog_entries.js';
import './page.js';

const { default: LibraryScreen } = await import('../../lab_ui/js/screens/library/screen.js');

/** The screen over a catalog of which two are in use. @param {string} [address] its parameters */
function opened(address = '') {
  const catalog = Object.assign(new EventTarget(), {
    entries: ENTRIES,
    chosen: ['bert-base-uncased', 'gpt2'],
    fetching: [],
    isFull: false,
    entry: id => ENTRIES.find(entry => entry.id === id) ?? null,
    letterOf: id => 'AB'[catalog.chosen.indexOf(id)] ?? '?',
    add: id => choose([...catalog.chosen, id]),
    remove: id => choose(catalog.chosen.filter(other => other !== id)),
  });
  const choose = ids => {
    catalog.chosen = ids;
    catalog.dispatchEvent(new Event('change'));
  };
  const notes = [];
  let shown = address;
  const context = {
    catalog,
    settings: { on: () => {} },
    dialog: { open: () => {} },
    activity: { track: work => work },
    status: { note: words => notes.push(words), showError: () => {} },
    router: { replace: (_, params) => (shown = String(params)) },
    jobs: new EventTarget(),
  };
  const screen = new LibraryScreen();
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  screen.mount(root, /** @type {any} */ (context));
  screen.activate(new URLSearchParams(address));
  const all = selector => [...root.querySelectorAll(selector)];
  const field = root.querySelector('input[type=search]');
  return {
    catalog,
    notes,
    all,
    address: () => shown,
    names: () => all('.tokenizer-name').map(name => name.lastChild?.textContent),
    row: id => root.querySelector(`.tokenizer-row[data-tokenizer='${id}']`),
    use: id => /** @type {any} */ (root.querySelector(`.tokenizer-row[data-tokenizer='${id}'] .use`)),
    find: words => {
      field.value = words;
      field.dispatchEvent(new Event('input'));
    },
    sortBy: column => /** @type {any} */ (root.querySelector(`th[data-column=${column}] button`)).click(),
    order: column => /** @type {any} */ (root.querySelector(`th[data-column=${column}]`)).ariaSort,
    hidden: group => /** @type {any} */ (root.querySelector(`tbody[data-group=${group}]`)).hidden,
    none: () => /** @type {any} */ (root.querySelector('.library-none')).hidden,
  };
}

test('every tokenizer has a row in its group, with licence and where it is', () => {
  const { all, row, notes } = opened();
  assert.equal(all('.tokenizer-row').length, ENTRIES.length);
  for (const { id, name, licence, available, source } of ENTRIES) {
    const words = row(id).textContent;
    assert.ok(words.includes(name) && words.includes(licence ?? 'not stated'), id);
    assert.equal(words.includes('Available to download'), !available, id);
    const group = source === 'added' ? 'yours' : available ? 'here' : 'away';
    assert.equal(row(id).closest('tbody').dataset.group, group, id);
  }
  assert.deepEqual(notes.at(-1), '4 tokenizers installed, 3 available to download');
});

test('a column sorts within the groups, then the other way round, then no more; the address says it', () => {
  const { names, sortBy, order, address } = opened();
  const before = names();
  sortBy('vocab_size');
  assert.deepEqual(names(), [
    ...['mine', 'BERT base, uncased', 'GPT-2', 'o200k_harmony (gpt-oss)'],
    ...['T5 base', 'Phi-2', 'mT5 base'],
  ]);
  assert.equal(order('vocab_size'), 'ascending');
  sortBy('vocab_size');
  const descending = names();
  assert.deepEqual(descending.slice(1, 4), ['o200k_harmony (gpt-oss)', 'GPT-2', 'BERT base, uncased']);
  assert.equal(order('vocab_size'), 'descending');
  assert.deepEqual(opened(address()).names(), descending);
  sortBy('vocab_size');
  assert.deepEqual([names(), order('vocab_size'), address()], [before, 'none', '']);
});

test('the list is searched by name, family and publisher; the address says for what', () => {
  const { names, find, hidden, none, address } = opened();
  find('gpt');
  assert.deepEqual(names(), ['GPT-2', 'o200k_harmony (gpt-oss)']);
  find('unigram google');
  assert.deepEqual(names(), ['T5 base', 'mT5 base']);
  assert.deepEqual([hidden('here'), hidden('away')], [true, false]);
  assert.deepEqual(opened(address()).names(), ['T5 base', 'mT5 base']);
  find('no such tokenizer');
  assert.deepEqual([names(), none()], [[], false]);
  find('');
  assert.deepEqual([names().length, none()], [ENTRIES.length, true]);
});

test('a tokenizer is used and no longer used; the last one stays', () => {
  const { catalog, use } = opened();
  assert.equal(use('o200k_harmony').ariaLabel, 'Use o200k_harmony (gpt-oss)');
  use('o200k_harmony').click();
  assert.deepEqual(catalog.chosen, ['bert-base-uncased', 'gpt2', 'o200k_harmony']);
  for (const id of ['o200k_harmony', 'gpt2']) {
    assert.match(use(id).ariaLabel, /^Stop using /);
    use(id).click();
  }
  assert.deepEqual(catalog.chosen, ['bert-base-uncased']);
  assert.deepEqual([use('bert-base-uncased').ariaDisabled, use('bert-base-uncased').title !== ''], ['true', true]);
  use('bert-base-uncased').click();
  assert.deepEqual(catalog.chosen, ['bert-base-uncased']);
});
