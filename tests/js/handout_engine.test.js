/** The engine of a handout that stops, wherever it does, is started again with what it had. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { PageEngine } from '../../lab_ui/js/handout/engine.js';

/** An engine that numbers what it loads, and stops in the call that is named. */
function engineOf() {
  const memory = { buffer: new ArrayBuffer(1000) };
  const engine = { memory, stopsIn: '', loaded: 0, answered: 0, bytes: 0 };
  const call =
    (/** @type {string} */ name, /** @type {(bytes: number) => number} */ work) => (/** @type {number} */ n) => {
      if (engine.stopsIn === name) throw new WebAssembly.RuntimeError(`unreachable in ${name}`);
      return work(n);
    };
  const answer = () => {
    const asked = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, 0, engine.bytes)));
    const said = asked.text === '' ? { error: { message: 'no text', hint: 'give one' } } : { ok: engine.loaded };
    if (asked.call === 'load') said.ok = engine.loaded++;
    const bytes = new TextEncoder().encode(JSON.stringify(said));
    new Uint8Array(memory.buffer).set(bytes);
    engine.answered = bytes.length;
    return 0;
  };
  return Object.assign(engine, {
    data: call('data', () => 500),
    request: call('request', n => {
      engine.bytes = n;
      return 0;
    }),
    answer: call('answer', answer),
    answer_bytes: () => engine.answered,
  });
}

/**
 * A page's engine, and the engines that it has, one after the other.
 * @param {import('node:test').TestContext} t
 */
function pageOf(t) {
  const engines = [engineOf(), engineOf(), engineOf()];
  let started = 1;
  class Instance {
    exports = engines[started++];
  }
  t.mock.method(WebAssembly, 'Instance', /** @type {any} */ (Instance));
  const page = new PageEngine(/** @type {any} */ (null), /** @type {any} */ ({ exports: engines[0] }));
  return { page, engines, started: () => started };
}
/** @type {any} */
const TEXT = { tokenizer: 0, text: 'low', specials: 'text', add_special_tokens: true };
const STOPPED = /the engine of this page stopped/;

for (const place of ['data', 'request', 'answer'])
  test(`an engine that stops in ${place} says why, and the next one has the same tokenizers`, t => {
    const { page, engines, started } = pageOf(t);
    assert.equal(page.load(new Uint8Array([1]), null), 0);
    engines[0].stopsIn = place;
    const work = () => (place === 'data' ? page.load(new Uint8Array([2]), null) : page.encode(TEXT));
    assert.throws(work, error => {
      assert.match(error.message, STOPPED);
      assert.match(error.cause.message, new RegExp(`unreachable in ${place}`));
      return Boolean(error.hint);
    });
    assert.equal(page.encode(TEXT), 1, 'the tokenizer that was loaded before');
    assert.equal(started(), 2);
  });

test('an engine that stops while it is started again is started once more', t => {
  const { page, engines, started } = pageOf(t);
  page.load(new Uint8Array([1]), null);
  engines[0].stopsIn = engines[1].stopsIn = 'answer';
  for (let n = 0; n < 2; n++) assert.throws(() => page.encode(TEXT), STOPPED);
  assert.equal(page.encode(TEXT), 1);
  assert.equal(started(), 3);
});

test('an engine that refuses goes on', t => {
  const { page, started } = pageOf(t);
  assert.throws(() => page.encode({ ...TEXT, text: '' }), { message: 'no text', hint: 'give one' });
  assert.equal(page.encode(TEXT), 0);
  assert.equal(started(), 1);
});
