/** What an address says of tokenizers: those that are here are shown, the others are named. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { acceptLink } from '../../lab_ui/js/app/state/address.js';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';
import { Catalog } from '../../lab_ui/js/app/tokenizers/catalog.js';

/** @param {Object<string, any>} values @returns what is in use, what is shown, and the error */
function accepted(values) {
  const settings = new Settings();
  settings.define('', SHARED);
  const catalog = new Catalog(settings, /** @type {any} */ ({}), /** @type {any} */ ({}));
  catalog.entries = /** @type {any} */ ([...'abcdefghi', 'away'].map(id => ({ id, available: id !== 'away' })));
  settings.set({ chosen: ['a', 'b'], active: 'b' });
  let message = '';
  const status = { showError: error => (message = error.message) };
  acceptLink(/** @type {any} */ ({ settings, catalog, session: {}, status }), values, null);
  return { chosen: settings.get('chosen'), active: settings.get('active'), letters: settings.get('letters'), message };
}

test('the tokenizer that an address shows is used, and named where it is not here', () => {
  const letters = { a: 'A', b: 'B' };
  assert.deepEqual(accepted({ active: 'a' }), { chosen: ['a', 'b'], active: 'a', letters, message: '' });
  const added = { chosen: ['a', 'b', 'c'], active: 'c', letters: { ...letters, c: 'C' }, message: '' };
  assert.deepEqual(accepted({ active: 'c' }), added);
  for (const id of ['gone', 'away'])
    assert.deepEqual(accepted({ active: id }), {
      chosen: ['a', 'b'],
      active: 'b',
      letters,
      message: `This link uses ${id}, which is not installed.`,
    });
  assert.deepEqual(
    accepted({ chosen: ['c', 'gone'], active: 'gone' }).message,
    'This link uses gone, which is not installed.',
  );
  assert.deepEqual(accepted({ chosen: ['c'], active: 'a' }).chosen, ['c', 'a']);
});

test('an address uses no more tokenizers than there can be, the one that it shows among them', () => {
  const chosen = [...'abcdefgh'];
  const found = accepted({ chosen, active: 'i' });
  assert.deepEqual([found.chosen, found.active, Object.keys(found.letters).length], [[...'abcdefgi'], 'i', 8]);
  assert.deepEqual(accepted({ chosen, active: 'h' }).chosen, chosen);
});
