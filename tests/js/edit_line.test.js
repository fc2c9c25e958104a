import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditLine } from '../../lab_ui/js/api/edit_line.js';

/** @param {any} WebSocket */
function lineWith(WebSocket) {
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1:8000/' }, WebSocket });
  return new EditLine('documents/7/edits');
}

test('where a connection may not even be tried there is none, and nothing fails', () => {
  class Forbidden { static OPEN = 1; constructor() { throw new DOMException('insecure', 'SecurityError'); } }
  const line = lineWith(Forbidden);
  assert.equal(line.open, false);
  line.close();
});

test('an edit whose connection ends is told so', async () => {
  const sockets = [];
  class Socket {
    static OPEN = 1;
    readyState = 1;
    constructor(address) { this.address = String(address); sockets.push(this); }
    send() { this.onclose(); }
    close() {}
  }
  const line = lineWith(Socket);
  assert.equal(line.open, true);
  assert.equal(sockets[0].address, 'ws://127.0.0.1:8000/api/v1/documents/7/edits');
  await assert.rejects(line.send({}, new AbortController().signal), { code: 'document_gone' });
});
