import assert from 'node:assert/strict';
import test from 'node:test';
import { Status } from '../../lab_ui/js/app/state/status.js';

const failure = message => Object.assign(new Error(message), { hint: 'try again' });

function statusOf() {
  const surface = { error: null, status: {}, announced: [], announce: message => surface.announced.push(message) };
  const status = new Status(/** @type {any} */ (surface));
  status.show('inspect');
  return { surface, status, inspect: status.of('inspect'), reports: status.of('reports') };
}

test('a screen that is hidden neither shows nor clears anything on another', () => {
  const { surface, status, inspect, reports } = statusOf();
  status.show('reports');
  reports.showError(failure('not saved'));
  reports.note('3 sessions');
  inspect.showError(failure('not encoded'));
  inspect.note('a note');
  inspect.progress('Encoding');
  assert.equal(surface.error.message, 'not saved');
  assert.deepEqual([surface.status.note, surface.status.progress], ['3 sessions', '']);
  inspect.clearError();
  assert.equal(surface.error.message, 'not saved');
});

test('facts of the text come back with their screen, errors and progress do not', () => {
  const { surface, status, inspect } = statusOf();
  inspect.facts({ source: '5 bytes' });
  inspect.showError(failure('not encoded'));
  inspect.progress('Encoding');
  status.show('reports');
  assert.equal(surface.status.source, '');
  assert.equal(surface.error, null);
  status.show('inspect');
  assert.deepEqual([surface.status.source, surface.status.progress, surface.error], ['5 bytes', '', null]);
});

test('a sticky error is shown on every screen until it is over', () => {
  const { surface, status, inspect, reports } = statusOf();
  inspect.showError(failure('gpt9 is not installed'), { sticky: true });
  inspect.clearError();
  status.show('reports');
  reports.showError(failure('not saved'));
  assert.equal(surface.error.message, 'gpt9 is not installed');
  status.dismiss();
  assert.equal(surface.error.message, 'not saved');
  status.dismiss();
  assert.equal(surface.error, null);
});
