/** The theme of the system is there before anything is painted. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { runInNewContext } from 'node:vm';

const read = path => readFile(new URL(`../../lab_ui/${path}`, import.meta.url), 'utf8');

test('a user of a dark system sees no light page', async () => {
  const script = await read('css/system_theme.js');
  for (const [matches, theme, chosen] of [
    [true, 'dark', {}],
    [false, 'light', {}],
    [true, 'light', { theme: 'light' }],
  ]) {
    const document = { documentElement: { dataset: chosen } };
    runInNewContext(script, { document, matchMedia: () => ({ matches }) });
    assert.deepEqual(document.documentElement.dataset, { theme });
  }
});

test('the browser runs it before it reads the style sheets', async () => {
  const page = await read('index.html');
  const at = page.indexOf('<script src="css/system_theme.js"></script>');
  assert.ok(at > 0 && at < page.indexOf('rel="stylesheet"'));
});
