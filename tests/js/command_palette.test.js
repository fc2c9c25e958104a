/** The palette: what the field finds, how keys steer the list, what runs. And the page of keys. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { press } from './page.js';

const { CommandPalette } = await import('../../lab_ui/js/app/commands/command_palette.js');
const { KeyMap } = await import('../../lab_ui/js/app/commands/key_map.js');

/** The open palette over three commands, and the labels of those that ran. */
function opened() {
  const ran = [];
  const command = (label, keys = []) => ({ label, keys, run: () => ran.push(label) });
  const palette = new CommandPalette();
  document.body.replaceChildren(palette);
  palette.fallback = text => (text ? [command(`Find “${text}” in the vocabulary`)] : []);
  palette.show([command('Light theme'), command('Dark theme'), command('Go to Compare', ['2'])]);
  const field = /** @type {any} */ (palette.querySelector('[data-role=palette-field]'));
  const rows = () => /** @type {any[]} */ ([...palette.querySelectorAll('[role=option]')]);
  return {
    palette,
    ran,
    field,
    rows,
    labels: () => rows().map(row => row.querySelector('.grow').textContent),
    chosen: () => rows().find(row => row.ariaSelected === 'true'),
    find: words => {
      field.value = words;
      field.dispatchEvent(new Event('input'));
    },
  };
}

test('the field steers the list', () => {
  const { field, find, rows, labels, chosen } = opened();
  find('theme');
  assert.deepEqual(labels(), ['Light theme', 'Dark theme']);
  assert.equal(chosen(), rows()[0]);
  press(field, 'ArrowDown');
  assert.equal(chosen(), rows()[1]);
  assert.equal(field.getAttribute('aria-activedescendant'), chosen().id);
  press(field, 'ArrowUp');
  press(field, 'ArrowUp');
  assert.equal(chosen(), rows().at(-1), 'before the first comes the last');
});

test('Enter runs the chosen command and a press any, and the palette closes before', () => {
  for (const act of [({ field }) => press(field, 'Enter'), ({ rows }) => rows()[0].click()]) {
    const lab = opened();
    lab.find('go comp');
    assert.deepEqual(lab.labels(), ['Go to Compare']);
    act(lab);
    assert.deepEqual([lab.ran, lab.palette.open], [['Go to Compare'], false]);
  }
});

test('what no command is called is looked for', () => {
  const { field, find, labels, ran } = opened();
  find('hello ');
  assert.deepEqual(labels(), ['Find “hello” in the vocabulary']);
  press(field, 'Enter');
  assert.deepEqual(ran, ['Find “hello” in the vocabulary']);
});

test('all keys are on one page, by group; commands without a key are not', () => {
  const keys = new KeyMap();
  document.body.replaceChildren(keys);
  const run = () => {};
  const commands = [
    { label: 'Next token', keys: ['ArrowRight'], group: 'Inspect', run },
    { label: 'Dark theme', run },
    { label: 'Go to Compare', keys: ['2'], run },
    { label: 'Next divergence', keys: ['n', 'F8'], group: 'Compare', run },
  ];
  keys.show(commands, /** @type {any} */ ({ get: () => true }));
  const shown = [...keys.querySelectorAll('section')].map(section => [
    section.querySelector('h2')?.textContent,
    ...[...section.querySelectorAll('dt, dd')].map(each => each.textContent),
  ]);
  assert.deepEqual(shown, [
    ['Inspect', '→', 'Next token'],
    ['Everywhere', '2', 'Go to Compare'],
    ['Compare', 'NF8', 'Next divergence'],
  ]);
  assert.ok(keys.open);
});
