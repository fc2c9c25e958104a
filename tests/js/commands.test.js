import assert from 'node:assert/strict';
import test from 'node:test';
import { commandFor, keyOf, keyParts, matching } from '../../lab_ui/js/app/commands/command.js';

const run = () => {};
const COMMANDS = [
  { label: 'Open a text file', keys: ['Mod+O'], run },
  { label: 'Show ids', keys: ['i'], group: 'Inspect', run },
  { label: 'Next divergence', keys: ['n', 'F8'], group: 'Compare', run },
  { label: 'Previous divergence', keys: ['p', 'Shift+F8'], group: 'Compare', run },
  { label: 'Dark theme', also: 'night', run },
];
const labels = commands => commands.map(command => command.label);

test('a key leads to its command', () => {
  const found = (event, isMac = false) => commandFor(COMMANDS, event, isMac)?.label;
  assert.equal(found({ key: 'o', ctrlKey: true }), 'Open a text file');
  assert.equal(found({ key: 'o', metaKey: true }), undefined);
  assert.equal(found({ key: 'o' }), undefined);
  assert.equal(found({ key: 'i' }), 'Show ids');
  assert.equal(found({ key: 'i', ctrlKey: true }), undefined);
  assert.equal(found({ key: 'F8' }), 'Next divergence');
  assert.equal(found({ key: 'F8', shiftKey: true }), 'Previous divergence');
  assert.equal(keyOf({ key: '?', shiftKey: true }), '?');
});

test('on macOS Cmd is the key of commands, and Ctrl edits the text', () => {
  const found = event => commandFor(COMMANDS, event, true)?.label;
  assert.equal(found({ key: 'o', metaKey: true }), 'Open a text file');
  assert.equal(found({ key: 'o', ctrlKey: true }), undefined);
  assert.equal(found({ key: 'i', ctrlKey: true }), undefined);
});

test('single keys work with Caps Lock on', () => {
  const found = event => commandFor(COMMANDS, event, false)?.label;
  assert.equal(found({ key: 'I' }), 'Show ids');
  assert.equal(found({ key: 'i', shiftKey: true }), undefined, 'Shift with Caps Lock');
  assert.equal(found({ key: 'O', ctrlKey: true }), 'Open a text file');
});

test('keys are shown as people read them', () => {
  assert.deepEqual(
    [keyParts('Mod+O', false), keyParts('Mod+O', true)],
    [
      ['Ctrl', 'O'],
      ['⌘', 'O'],
    ],
  );
  assert.deepEqual(keyParts('ArrowLeft'), ['←']);
  assert.deepEqual(keyParts('i'), ['I']);
  assert.deepEqual(keyParts('P'), ['Shift', 'P']);
  assert.deepEqual(
    ['PageDown', ' '].flatMap(key => keyParts(key)),
    ['PgDn', 'Space'],
  );
  assert.deepEqual(keyParts('Mod++', false), ['Ctrl', '+']);
});

test('commands are found by all their words, in any order', () => {
  assert.equal(matching(COMMANDS, '').length, COMMANDS.length);
  assert.deepEqual(labels(matching(COMMANDS, 'div')), ['Next divergence', 'Previous divergence']);
  assert.deepEqual(labels(matching(COMMANDS, 'divergence compare prev')), ['Previous divergence']);
  assert.deepEqual(labels(matching(COMMANDS, 'NIGHT')), ['Dark theme']);
  assert.deepEqual(labels(matching(COMMANDS, 'inspect')), ['Show ids']);
  assert.deepEqual(matching(COMMANDS, 'zebra'), []);
});

test('labels that begin with the word come first', () => {
  const commands = [
    { label: 'Encode text', run },
    { label: 'Text view', run },
    { label: 'Context', run },
  ];
  assert.deepEqual(labels(matching(commands, 'text')), ['Text view', 'Encode text', 'Context']);
});
