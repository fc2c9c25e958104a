/**
 * What the page uses of libraries beyond their public interface. `package.json` pins their versions; a new one that has
 * lost a name fails here, by that name.
 */
import './page.js';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

const { EditorState, EditorView } = await import('../../lab_ui/vendor/codemirror.js');
const { devDependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));

test('Transaction._doc: the text after a change, shared with another editor', () => {
  assert.ok('_doc' in EditorState.create({ doc: 'a' }).update({ changes: { from: 0, insert: 'b' } }));
});

test('EditorView.measure: lays out at once', () => {
  assert.equal(typeof EditorView.prototype.measure, 'function');
});

test('EditorView.viewState.printing: the whole text is drawn', async () => {
  const source = await readFile(new URL('../../node_modules/@codemirror/view/dist/index.js', import.meta.url), 'utf8');
  assert.match(source, /this\.viewState = new ViewState\(/);
  assert.match(source, /this\.printing = false/);
});

test('_fullLayout: what Plotly made of a layout', async () => {
  const source = await readFile(new URL('../../lab_ui/vendor/plotly.js', import.meta.url), 'utf8');
  assert.match(source, /\._fullLayout\b/);
});

test('libraries whose private interfaces are used are pinned', () => {
  for (const name of [
    '@codemirror/commands',
    '@codemirror/search',
    '@codemirror/state',
    '@codemirror/view',
    'plotly.js',
  ])
    assert.match(devDependencies[name], /^\d/, name);
});
