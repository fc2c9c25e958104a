/**
 * What `ui.py` runs in the page: the same acts on the lab's text component, on the editor alone and on one span per
 * token.
 */

const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
const pause = ms => new Promise(done => setTimeout(done, ms));
const isReady = () => document.documentElement.dataset.state === 'ready';

async function ready() {
  for (let quiet = 0; quiet < 3; quiet = isReady() ? quiet + 1 : 0) await frame();
}

/** Bytes of objects after collecting what nobody holds; null where the browser does not say. */
async function held() {
  if (!performance.memory) return null;
  for (let n = 0; n < 3; n++) {
    window.gc?.();
    await pause(50);
  }
  return performance.memory.usedJSHeapSize;
}

/** From `act` to the end of the frame in which the tokens of the answer were drawn. */
async function untilDrawn(text, act) {
  const start = performance.now();
  const shown = text.showTokens;
  const drawn = new Promise(done => {
    text.showTokens = function showTokens(sources) {
      shown.call(this, sources);
      this.drawn().then(() => setTimeout(done));
    };
  });
  act();
  await Promise.race([drawn, pause(60000)]);
  text.showTokens = shown;
  return performance.now() - start;
}

/** From `act` to the end of the frame with the tokens in the window, and to that with all of them and their count. */
async function untilPasted(text, act) {
  const start = performance.now();
  const { showPart } = text;
  let window = null;
  text.showPart = function showWindow(sources) {
    showPart.call(this, sources);
    this.drawn().then(() =>
      setTimeout(() => {
        window ??= performance.now() - start;
      }),
    );
  };
  const whole = await untilDrawn(text, act);
  delete text.showPart;
  return { window: window ?? whole, whole };
}

/** From `act` to the end of the next frame. */
async function untilPainted(act) {
  const start = performance.now();
  act();
  await frame();
  return performance.now() - start;
}

const paste = (view, insert) =>
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert },
    selection: { anchor: 0 },
    userEvent: 'input.paste',
  });

function type(view, n) {
  const at = view.state.selection.main.head;
  view.dispatch({
    changes: { from: at, insert: 'typed text '[n % 11] },
    selection: { anchor: at + 1 },
    userEvent: 'input.type',
  });
}

async function scrolled(view, scrolls) {
  const times = [];
  for (let n = 0; n < scrolls; n++)
    times.push(
      await untilPainted(() => {
        view.scrollDOM.scrollTop += 300;
      }),
    );
  view.dispatch({ selection: { anchor: view.state.doc.length >> 1 }, scrollIntoView: true });
  await ready();
  return times;
}

/** When messages went out on a connection that stays open, and how long their answers were under way. */
const lines = [];
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function timedSend(message) {
  const start = performance.now();
  this.addEventListener('message', () => lines.push(performance.now() - start), { once: true });
  send.call(this, message);
};

/** Time that the requests or messages of keys took, from the page and back. */
const answered = () => [
  ...lines,
  ...performance
    .getEntriesByType('resource')
    .filter(({ name }) => /\/(edits|tokenize|compare)$/.test(name))
    .map(({ duration }) => duration),
];

/** Pastes into the lab's component. Keys and scrolls are `benchKeys` and `benchScrolls`, so that each is counted apart. */
window.benchComponent = async () => {
  await ready();
  const text = document.querySelector('token-text');
  const { view } = text;
  paste(view, '');
  await ready();
  const before = await held();
  const pasted = await untilPasted(text, () => paste(view, window.benchText));
  await ready();
  return { paste_ms: pasted.window, whole_ms: pasted.whole, before };
};

window.benchScrolls = async ({ scrolls }) => {
  const scroll = await scrolled(document.querySelector('token-text').view, scrolls);
  await pause(400);
  return { scroll_ms: scroll };
};

window.benchKeys = async ({ keys }) => {
  const text = document.querySelector('token-text');
  const key = [];
  performance.clearResourceTimings();
  lines.length = 0;
  for (let n = 0; n < keys; n++) {
    key.push(await untilDrawn(text, () => type(text.view, n)));
    await pause(30 + 17 * Math.random());
  }
  await ready();
  return { key_ms: key, answer_ms: answered() };
};

window.benchMemory = async before => {
  const after = await held();
  return before === null ? null : (after - before) / 1e6;
};

/** The floor: the same editor with the same text in the same place, and nothing drawn over it. */
window.benchBare = async ({ scrolls }) => {
  const { createEditor } = await import(new URL('js/editor/editor.js', document.baseURI).href);
  const real = document.querySelector('token-text');
  const drawn = getComputedStyle(real.view.dom);
  const box = real.getBoundingClientRect();
  const nonce = document.querySelector('meta[name=nonce]')?.content ?? '';
  const bare = document.createElement('token-text');
  bare.dataset.kind = real.dataset.kind;
  Object.assign(bare.style, {
    position: 'fixed',
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  const { view, layOut } = createEditor({
    parent: bare,
    nonce,
    label: 'Bare',
    text: '',
    readOnly: false,
    onUpdate: () => {},
  });
  real.style.display = 'none';
  document.body.append(bare);
  layOut(
    Object.fromEntries(
      ['--row', '--row-shift', '--glyph-row', '--block'].map(name => [name, drawn.getPropertyValue(name)]),
    ),
  );
  await frame();
  window.bare = { view, bare, real };
  const pasted = await untilPainted(() => paste(view, window.benchText));
  await frame();
  const scroll = await scrolled(view, scrolls);
  await pause(400);
  return { paste_ms: pasted, scroll_ms: scroll };
};

window.benchBareKeys = async ({ keys }) => {
  const key = [];
  for (let n = 0; n < keys; n++) {
    key.push(await untilPainted(() => type(window.bare.view, n)));
    await pause(30 + 17 * Math.random());
  }
  window.bare.bare.remove();
  window.bare.real.style.display = '';
  return { key_ms: key };
};

/** The plain way: all tokens as elements, made anew for every key. */
window.benchSpans = async ({ keys, scrolls }) => {
  const box = document.createElement('div');
  Object.assign(box.style, {
    position: 'fixed',
    inset: '100px 300px 100px 100px',
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    zIndex: '999',
    background: 'Canvas',
    font: '17px/36px monospace',
  });
  document.body.append(box);
  const before = await held();
  let text = window.benchText;
  const draw = async () => {
    const answer = await (
      await fetch('api/v1/tokenize', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tokenizer: 'gpt2', text, specials: 'text' }),
      })
    ).json();
    const all = document.createDocumentFragment();
    answer.tokens.forEach(({ span_utf16: [from, to] }, n) => {
      const span = document.createElement('span');
      span.textContent = text.slice(from, to);
      span.style.background = ['#abeefd', '#f3dfac', '#cedaff', '#ffcec1'][n % 4];
      all.append(span);
    });
    box.replaceChildren(all);
    box.getBoundingClientRect();
  };
  const timed = async act => {
    const start = performance.now();
    await act();
    await frame();
    return performance.now() - start;
  };
  const pasted = await timed(draw);
  const scroll = [];
  const key = [];
  for (let n = 0; n < scrolls / 4; n++)
    scroll.push(
      await timed(() => {
        box.scrollTop += 300;
      }),
    );
  for (let n = 0; n < keys; n++) {
    text = `${text.slice(0, text.length >> 1)}x${text.slice(text.length >> 1)}`;
    key.push(await timed(draw));
  }
  const after = await held();
  box.remove();
  return {
    paste_ms: pasted,
    key_ms: key,
    scroll_ms: scroll,
    memory_mb: before === null ? null : (after - before) / 1e6,
  };
};
