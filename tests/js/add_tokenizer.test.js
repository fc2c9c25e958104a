/** The dialog that adds tokenizers: what it finds, how it groups it, and what Enter takes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ENTRIES } from './catalog_entries.js';
import { press } from './page.js';

const { AddTokenizer } = await import('../../lab_ui/js/app/tokenizers/add_tokenizer.js');

/** The open dialog, and what it reports. @param {string[]} [chosen] ids in use */
function opened(chosen = ['gpt2'], entries = ENTRIES) {
  const element = new AddTokenizer();
  document.body.replaceChildren(element);
  element.show({ entries, chosen, letterOf: () => 'A', busy: new Set(), sets: {} });
  element.open();
  const reported = [];
  for (const type of ['use', 'fetch', 'hub'])
    element.addEventListener(type, event => reported.push([type, /** @type {CustomEvent} */ (event).detail]));
  const field = /** @type {any} */ (element.querySelector('[data-role=add-field]'));
  const rows = (within = '') => [...element.querySelectorAll(`${within} [role=option]`)];
  return {
    reported,
    field,
    rows,
    row: id => /** @type {any} */ (element.querySelector(`[data-tokenizer='${id}']`)),
    at: () => /** @type {any} */ (rows().find(row => row.ariaSelected === 'true')),
    none: /** @type {any} */ (element.querySelector('[data-role=add-none]')),
    find: words => {
      field.value = words;
      field.dispatchEvent(new Event('input'));
      return rows().map(row => row.querySelector('b').textContent);
    },
  };
}

test('a tokenizer is found by id and publisher', () => {
  const { find, none } = opened();
  assert.deepEqual(find('microsoft'), ['Phi-2']);
  assert.deepEqual(find('o200k harmony'), ['o200k_harmony (gpt-oss)']);
  assert.ok(none.hidden);
  assert.deepEqual(find('no such tokenizer'), []);
  assert.ok(!none.hidden);
  assert.match(none.textContent, /Type OWNER\/NAME to fetch one/);
});

test('what is installed, what can be downloaded and what the user added are groups', () => {
  const { rows, row } = opened();
  const groups = [...document.querySelectorAll('[role=group]')].map(group => [
    document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
    group.querySelectorAll('[role=option]').length,
  ]);
  assert.deepEqual(groups, [
    ['Your tokenizers', 1],
    ['Installed', 3],
    ['Available to download', 3],
  ]);
  for (const { textContent: words } of rows('[data-group=away]'))
    assert.ok(words.includes('Available to download') && !/–|downloaded/.test(words), words);
  assert.match(row('gpt2').textContent, /In use/);
});

test('Enter takes the row that is highlighted, at first one that adds something; arrows lead on', () => {
  const { field, at, reported } = opened(['mine', 'bert-base-uncased']);
  assert.equal(at().dataset.tokenizer, 'gpt2');
  press(field, 'ArrowDown');
  assert.equal(at().dataset.tokenizer, 'o200k_harmony');
  assert.equal(field.getAttribute('aria-activedescendant'), at().id);
  press(field, 'Enter');
  press(field, 'ArrowDown');
  press(field, 'Enter');
  assert.deepEqual(reported, [
    ['use', 'o200k_harmony'],
    ['fetch', 't5'],
  ]);
});

test('a ninth tokenizer cannot be added', () => {
  const more = [...'12345678'].map(n => ({ ...ENTRIES[0], id: `other-${n}`, name: `Other ${n}` }));
  const { row, reported } = opened(
    more.map(({ id }) => id),
    [...ENTRIES, ...more],
  );
  assert.equal(row('gpt2').ariaDisabled, 'true');
  assert.equal(row('gpt2').title, 'Eight tokenizers are in use; remove one first');
  row('gpt2').click();
  assert.deepEqual(reported, []);
});
