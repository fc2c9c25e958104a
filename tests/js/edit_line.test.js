import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditLine } from '../../lab_ui/js/api/edit_line.js';
import { delay } from '../../lab_ui/js/text/timing.js';

/** @param {any} WebSocket */
function lineWith(WebSocket) {
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1:8000/' }, WebSocket });
  return new EditLine('documents/7/edits');
}

test('where a connection may not even be tried there is none, and nothing fails', () => {
  class Forbidden {
    static OPEN = 1;
    constructor() {
      throw new DOMException('insecure', 'SecurityError');
    }
  }
  const line = lineWith(Forbidden);
  assert.equal(line.open, false);
  line.close();
});

test('an edit whose connection ends is told so', async () => {
  const sockets = [];
  class Socket {
    static OPEN = 1;
    readyState = 1;
    constructor(address) {
      this.address = String(address);
      sockets.push(this);
    }
    send() {
      this.onclose();
    }
    close() {}
  }
  const line = lineWith(Socket);
  assert.equal(line.open, true);
  assert.equal(sockets[0].address, 'ws://127.0.0.1:8000/api/v1/documents/7/edits');
  await assert.rejects(line.send({}, new AbortController().signal), { code: 'document_gone' });
});

test('a connection that is being made is closed when it is there', () => {
  const closed = [];
  class Socket {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 0;
    onopen = () => {};
    constructor() {
      Socket.last = this;
    }
    /** @type {Socket} */
    static last;
    close() {
      closed.push(this.readyState);
    }
  }
  lineWith(Socket).close();
  assert.deepEqual(closed, []);
  Object.assign(Socket.last, { readyState: 1 }).onopen();
  assert.deepEqual(closed, [1]);
});

/** A signal that counts who listens to it. */
function watched() {
  const { signal } = new AbortController();
  const counts = { now: 0 };
  for (const [name, by] of [
    ['addEventListener', 1],
    ['removeEventListener', -1],
  ])
    signal[name] = new Proxy(signal[name], {
      apply: (act, _self, values) => {
        counts.now += by;
        return Reflect.apply(act, signal, values);
      },
    });
  return { signal, counts };
}

test('nothing is left on the signal of a burst of typing', async () => {
  class Socket {
    static OPEN = 1;
    readyState = 1;
    send() {
      queueMicrotask(() =>
        this.onmessage({ data: JSON.stringify({ error: { code: 'conflict', message: 'other', hint: '' } }) }),
      );
    }
    close() {}
  }
  const line = lineWith(Socket);
  const { signal, counts } = watched();
  for (let n = 0; n < 20; n++) {
    await assert.rejects(line.send({}, signal), { code: 'conflict' });
    await delay(0, signal);
  }
  assert.equal(counts.now, 0);
});

test('a pause with a signal that is aborted ends at once', async () => {
  await assert.rejects(delay(1e6, AbortSignal.abort()), { name: 'AbortError' });
});
