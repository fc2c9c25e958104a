/** A backend, a clock and editors for tests of the text session: no network, no DOM, every order of events at will. */
import { EditorState } from '../../lab_ui/vendor/codemirror.js';
import { TokenSpans } from '../../lab_ui/js/text/token_spans.js';

/** @param {number} seed @returns {(below: number) => number} the same numbers for the same seed */
export function randomFrom(seed) {
  let state = seed;
  return below => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(state / 65536) % below;
  };
}

/** Lets all promises that can settle do so. */
export async function flush() {
  for (let n = 0; n < 60; n++) await null;
}

export class FakeClock {
  #time = 0;
  #timers = new Map();
  #next = 1;

  now = () => this.#time;
  setTimeout = (act, ms) => {
    this.#timers.set(this.#next, { at: this.#time + ms, act });
    return this.#next++;
  };
  clearTimeout = timer => {
    this.#timers.delete(timer);
  };

  get waiting() {
    return this.#timers.size;
  }

  /** Runs what is due within the next `ms`, in order. */
  async advance(ms) {
    const end = this.#time + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [timer, { at, act }] = due;
      this.#timers.delete(timer);
      this.#time = Math.max(this.#time, at);
      act();
      await flush();
    }
    this.#time = end;
  }
}

/** Tokens are runs of up to `tokenizer` characters up to a space; the id says of what text, tokenizer and options. */
export function tokenize(text, tokenizer, { addSpecialTokens }) {
  const pattern = new RegExp(`[^ ]{1,${Number(tokenizer)}} ?| `, 'gs');
  return [...text.matchAll(pattern)].map(({ 0: token, index }) => ({
    id: idOf(token, tokenizer, addSpecialTokens),
    from: index,
    to: index + token.length,
  }));
}

export function idOf(token, tokenizer, addSpecialTokens) {
  let hash = addSpecialTokens ? 7 : 11;
  for (const unit of `${tokenizer} ${token}`) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) >>> 0;
  return hash;
}

/** @param {{id: number, from: number, to: number}[]} rows */
function arraysOf(rows) {
  const column = (read, Type = Uint32Array) => Type.from(rows, read);
  return {
    ids: column(row => row.id),
    start_utf8: column(row => row.from),
    end_utf8: column(row => row.to),
    start_utf16: column(row => row.from),
    end_utf16: column(row => row.to),
    flags: column(() => 0, Uint8Array),
  };
}

export class FakeClient {
  /** @type {{kind: string, answer: () => void, fail: (error: Error) => void}[]} */
  requests = [];
  /** Texts that the backend keeps. */
  kept = new Set();

  open(tokenizers, text, options, signal) {
    const now = String(text);
    return this.#request('open', signal, () => {
      const document = new FakeDocument(this, tokenizers, now, options);
      this.kept.add(document);
      return document;
    });
  }

  tokensWithin(tokenizers, text, { from, to }, options, signal) {
    return this.#request('excerpt', signal, () => {
      const tokens = tokenizers.map(id => {
        const within = tokenize(String(text), id, options).filter(token => token.from >= from && token.to <= to);
        const known = { from: within[0]?.from ?? from, to: within.at(-1)?.to ?? from };
        return Object.assign(new TokenSpans(arraysOf(within)), { known });
      });
      return { tokens, divergences: null };
    });
  }

  encodeWhole(tokenizers, text, options, signal) {
    return this.#request('whole', signal, () => ({
      tokens: tokenizers.map(id => new TokenSpans(arraysOf(tokenize(text, id, options)))),
      results: tokenizers.map(() => ({})),
      header: {},
    }));
  }

  edit(signal, apply) {
    return this.#request('edit', signal, apply);
  }

  #request(kind, signal, answer) {
    return new Promise((resolve, reject) => {
      const stop = () => end(() => reject(new DOMException('stopped', 'AbortError')));
      const request = {
        kind,
        answer: () => end(() => resolve(answer())),
        fail: error => end(() => reject(error)),
      };
      const end = act => {
        signal.removeEventListener('abort', stop);
        this.requests = this.requests.filter(other => other !== request);
        act();
      };
      this.requests.push(request);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
  }
}

class FakeDocument {
  results = [];
  header = {};
  #client;
  #text;
  #tokenizers;
  #options;

  constructor(client, tokenizers, text, options) {
    this.#client = client;
    this.#tokenizers = tokenizers;
    this.#text = text;
    this.#options = options;
    this.tokens = tokenizers.map(id => new TokenSpans(arraysOf(tokenize(text, id, options))));
  }

  edit({ from, to, insert }, signal) {
    return this.#client.edit(signal, () => () => {
      this.#text = this.#text.slice(0, from) + insert + this.#text.slice(to);
      this.tokens.forEach((tokens, n) => {
        const arrays = arraysOf(tokenize(this.#text, this.#tokenizers[n], this.#options));
        tokens.splice({ first: 0, removed: tokens.length }, arrays, '', { shift8: 0, shift16: 0 });
      });
    });
  }

  async roundTrip() {
    return this.#tokenizers.map(() => true);
  }

  close() {
    this.#client.kept.delete(this);
  }
}

/**
 * What an editor does for the session, without a window: shows the text, follows its edits and draws tokens over it.
 */
export class FakeEditor {
  /** What is drawn: tokens of the text before `pending`. */
  picture = null;
  events = [];
  problems = [];
  at = 0;
  #missed = null;
  #isShown = false;
  #isDrawing = false;

  constructor(session) {
    this.session = session;
    this.encoding = session.encoding();
    this.encoding.viewer = this;
    this.state = EditorState.create({ doc: session.doc, extensions: [EditorState.lineSeparator.of('\n')] });
    session.addEventListener('edit', event => this.#follow(event.detail));
    for (const type of ['busy', 'stale', 'partial', 'tokens', 'settled', 'error'])
      this.encoding.addEventListener(type, event => this.#on(type, event.detail));
  }

  get shown() {
    return { from: this.at, to: this.at + 400 };
  }
  get soonShown() {
    return this.shown;
  }
  async drawn() {}

  show() {
    this.#isShown = true;
    if (this.#missed) this.state = this.state.update({ changes: this.#missed }).state;
    this.#missed = null;
    this.session.select(this.state.selection);
    this.encoding.activate();
  }

  hide() {
    this.#isShown = false;
    this.encoding.deactivate();
  }

  /** Somebody types. @param {import('../../lab_ui/vendor/codemirror.js').TransactionSpec} spec */
  dispatch(spec) {
    const transaction = this.state.update(spec);
    this.state = transaction.state;
    this.#isDrawing = true;
    const tell = this.session.takeEarly([transaction], this.state.doc, this);
    this.#isDrawing = false;
    if (transaction.docChanged) this.#move(transaction.changes);
    tell();
  }

  #follow({ changes, origin, selection }) {
    if (origin === this) return;
    this.#move(changes);
    if (this.#isShown) this.state = this.state.update({ changes, selection: selection ?? undefined }).state;
    else this.#missed = this.#missed ? this.#missed.compose(changes) : changes;
  }

  #move(changes) {
    if (this.picture) this.picture.pending = this.picture.pending?.composeDesc(changes.desc) ?? changes.desc;
  }

  #on(type, detail) {
    this.events.push(type);
    if (this.#isDrawing && type !== 'busy') this.problems.push(`${type} while the editor draws`);
    if (!this.#isShown && type !== 'busy') this.problems.push(`${type} of a hidden screen`);
    if (type === 'partial' || type === 'tokens') this.picture = { ...detail, isPart: type === 'partial' };
    if (type === 'stale' && detail.drop) this.picture = null;
  }
}
