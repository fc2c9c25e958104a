/**
 * The engine in the page: a module of WebAssembly that takes and gives JSON. Its other half is `engine_rs/wasm`.
 *
 * @typedef {{request: (bytes: number) => number, data: (bytes: number) => number, answer: () => number,
 *   answer_bytes: () => number, memory: WebAssembly.Memory}} Exports
 * @typedef {import('../api/types.js').Specials} Specials
 * @typedef {{tokenizer: number, text: string, specials: Specials, add_special_tokens: boolean}} OfText `tokenizer`: the
 *   number that `load` gave
 * @typedef {{id: number, text: string|null, bytes: string, span_utf8: [number, number], span_utf16: [number, number],
 *   special: boolean, sequence: number|null}} Token
 */

import { count } from '../util/format.js';
import { hasHalfCharacter } from '../util/utf8.js';

/** Of a text: the lab makes handouts of as many. */
const MOST_CHARACTERS = 20_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PageEngine {
  #module;
  /** Null after it stopped: its memory may be damaged. @type {Exports|null} */
  #exports;
  /** What was loaded. @type {{state: Uint8Array, covered: string|null}[]} */
  #loaded = [];

  /** @param {WebAssembly.Module} module @param {WebAssembly.Instance} instance of it */
  constructor(module, instance) {
    this.#module = module;
    this.#exports = /** @type {any} */ (instance.exports);
  }

  /** @param {BufferSource} bytes of the module */
  static async start(bytes) {
    const { module, instance } = await WebAssembly.instantiate(bytes, {});
    return new PageEngine(module, instance);
  }

  /**
   * @param {Uint8Array} state of a tokenizer, as `Tokenizer.state` writes it
   * @param {string|null} covered the characters that it is shrunk to; null: it is whole
   * @returns {number} the tokenizer's number
   */
  load(state, covered) {
    const number = answered(this.#guarded(engine => read(engine, state, covered)));
    this.#loaded.push({ state, covered });
    return number;
  }

  /** @param {OfText} of @returns {{count: number, ids: number[], tokens: Token[]}} */
  encode(of) {
    return this.#ask({ call: 'encode', ...checked(of) });
  }

  /** What each stage did: docs/reference/trace.md. @param {OfText} of @returns {Object<string, any>} */
  trace(of) {
    return this.#ask({ call: 'trace', ...checked(of) });
  }

  /**
   * @param {OfText & {name: string, learn: number, seed: number}} of
   * @returns {import('../lessons/lesson_view.js').Lesson} the facts are those that the engine knows
   */
  lesson(of) {
    const { facts, frames } = this.#ask({ call: 'lesson', ...checked(of) });
    return { facts, ...joined(frames) };
  }

  /** @param {Object<string, any>} question */
  #ask(question) {
    return answered(this.#guarded(engine => ask(engine, question)));
  }

  /**
   * Works with the engine, which refuses by an answer: an error is one of its own, or no memory, and it has stopped.
   * @template T @param {(engine: Exports) => T} work @returns {T}
   */
  #guarded(work) {
    try {
      this.#exports ??= this.#startedAgain();
      return work(this.#exports);
    } catch (cause) {
      this.#exports = null;
      throw Object.assign(new Error('the engine of this page stopped, and the page starts it again', { cause }), {
        hint: 'change the text, or make it shorter',
      });
    }
  }

  /** Another engine with the same tokenizers. @returns {Exports} */
  #startedAgain() {
    const engine = /** @type {any} */ (new WebAssembly.Instance(this.#module, {}).exports);
    for (const { state, covered } of this.#loaded) answered(read(engine, state, covered));
    return engine;
  }
}

/** @typedef {{ok?: any, error?: {message: string, hint: string}}} Answer */

/** Loads a tokenizer. @param {Exports} engine @param {Uint8Array} state @param {string|null} covered */
function read(engine, state, covered) {
  write(engine, engine.data(state.length), state);
  return ask(engine, { call: 'load', covered });
}

/** @param {Exports} engine @param {Object<string, any>} question @returns {Answer} */
function ask(engine, question) {
  const bytes = encoder.encode(JSON.stringify(question));
  write(engine, engine.request(bytes.length), bytes);
  const at = engine.answer();
  return JSON.parse(decoder.decode(new Uint8Array(engine.memory.buffer, at, engine.answer_bytes())));
}

/** @param {Exports} engine @param {number} at @param {Uint8Array} bytes */
function write(engine, at, bytes) {
  // Memory that grew is another buffer.
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** @param {Answer} answer */
function answered({ ok, error }) {
  if (error) throw Object.assign(new Error(error.message), { hint: error.hint });
  return ok;
}

/**
 * Refuses a text that is too long, and half of a character, which UTF-8 cannot say.
 * @template {OfText} T @param {T} of @returns {T}
 */
function checked(of) {
  const characters = Array.from(of.text);
  if (characters.length > MOST_CHARACTERS)
    throw Object.assign(new Error(`the text has ${count(characters.length)} characters`), {
      hint: `give ${count(MOST_CHARACTERS)} at most`,
    });
  const at = characters.findIndex(hasHalfCharacter);
  if (at >= 0)
    throw Object.assign(new Error(`character ${at} is half of a surrogate pair`), { hint: 'give whole characters' });
  return of;
}

/** The frames one after the other, and where each ends. @param {any[]} frames */
function joined(frames) {
  const parts = frames.map(frame => encoder.encode(JSON.stringify(frame)));
  let end = 0;
  const ends = Uint32Array.from(parts, part => (end += part.length));
  const all = new Uint8Array(end);
  parts.forEach((part, n) => all.set(part, ends[n] - part.length));
  return { frames: all, ends };
}
