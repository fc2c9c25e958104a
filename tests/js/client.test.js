import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { LabError, download } from '../../lab_ui/js/api/client.js';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

test('a file that breaks off says that the backend is gone', async () => {
  const body = new ReadableStream({ pull: controller => controller.error(new TypeError('network error')) });
  globalThis.fetch = async () => new Response(body);
  await assert.rejects(download('export'), error => error instanceof LabError && error.code === 'backend_gone');
});

test('a file that is refused says why, and one that comes has its name', async () => {
  const error = { code: 'too_large', message: 'Too large.', hint: 'Cut it.' };
  globalThis.fetch = async () => Response.json({ error }, { status: 413 });
  await assert.rejects(download('export'), { code: 'too_large', message: 'Too large.', hint: 'Cut it.' });
  globalThis.fetch = async () =>
    new Response('data', { headers: { 'Content-Disposition': 'attachment; filename="a.csv"' } });
  const { name, data } = await download('export');
  assert.deepEqual([name, await data.text()], ['a.csv', 'data']);
});
