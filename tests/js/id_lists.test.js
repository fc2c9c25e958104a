import assert from 'node:assert/strict';
import test from 'node:test';
import { ID_FORMATS, idsAs, readIds } from '../../lab_ui/js/screens/inspect/id_lists.js';

test('what is copied is read back', () => {
  for (const { value } of ID_FORMATS)
    for (const ids of [[], [0], [15496, 995, 4294967295]])
      assert.deepEqual(readIds(idsAs(Uint32Array.from(ids), value)), { ids, wrong: null });
  assert.equal(idsAs([1, 2], 'json'), '[1,2]');
  assert.equal(idsAs([1, 2], 'python'), 'ids = [1, 2]');
  assert.equal(idsAs([1, 2], 'spaced'), '1 2');
});

test('what is no id is named with its place', () => {
  for (const [text, word, at] of [
    ['1 -4', '-4', 2],
    ['1, 2.5', '2.5', 2],
    ['x', 'x', 1],
    ['1 2 4294967296', '4294967296', 3],
    ['0x10', '0x10', 1],
  ])
    assert.deepEqual(readIds(text).wrong, { word, at });
  assert.deepEqual(readIds('(1; 2)\n[3]').ids, [1, 2, 3]);
});
