/** What `ui.py` runs in the page: the same acts on the lab's text component and on one span per token. */

const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
const pause = ms => new Promise(done => setTimeout(done, ms));
const isReady = () => document.documentElement.dataset.state === 'ready';

async function ready() {
  for (let quiet = 0; quiet < 3; quiet = isReady() ? quiet + 1 : 0) await frame();
}

/** Bytes of objects after collecting what nobody holds; null where the browser does not say. */
async function held() {
  if (!performance.memory) return null;
  for (let n = 0; n < 3; n++) { window.gc?.(); await pause(50); }
  return performance.memory.usedJSHeapSize;
}

/** From `act` to the end of the frame after the lane was drawn anew. */
async function untilDrawn(text, act) {
  const start = performance.now(), shown = text.showTokens;
  let drawn = false;
  text.showTokens = function showTokens(sources) {
    shown.call(this, sources);
    this.drawn().then(() => { drawn = true; });
  };
  act();
  while (!drawn && performance.now() - start < 60000) await new Promise(done => requestAnimationFrame(done));
  await new Promise(done => setTimeout(done));
  text.showTokens = shown;
  return performance.now() - start;
}

window.benchComponent = async ({ keys, scrolls }) => {
  await ready();
  const text = document.querySelector('token-text'), { view } = text;
  const replace = insert => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, selection: { anchor: 0 }, userEvent: 'input.paste' });
  replace('');
  await ready();
  const before = await held();
  const paste = await untilDrawn(text, () => replace(window.benchText));
  await ready();
  const scroll = [], { scrollDOM } = view;
  for (let n = 0; n < scrolls; n++) {
    const start = performance.now();
    scrollDOM.scrollTop += 300;
    await frame();
    scroll.push(performance.now() - start);
  }
  view.dispatch({ selection: { anchor: view.state.doc.length >> 1 }, scrollIntoView: true });
  await ready();
  const key = [];
  for (let n = 0; n < keys; n++) {
    const at = view.state.selection.main.head;
    key.push(await untilDrawn(text, () => view.dispatch({ changes: { from: at, insert: 'typed text '[n % 11] }, selection: { anchor: at + 1 }, userEvent: 'input.type' })));
    await pause(30);
  }
  await ready();
  const after = await held();
  return { paste_ms: paste, key_ms: key, scroll_ms: scroll, memory_mb: before === null ? null : (after - before) / 1e6 };
};

/** The plain way: all tokens as elements, made anew for every key. */
window.benchSpans = async ({ keys, scrolls }) => {
  const box = document.createElement('div');
  Object.assign(box.style, { position: 'fixed', inset: '100px 300px 100px 100px', overflow: 'auto', whiteSpace: 'pre-wrap', zIndex: '999', background: 'Canvas', font: '17px/36px monospace' });
  document.body.append(box);
  const before = await held();
  let text = window.benchText;
  const draw = async () => {
    const answer = await (await fetch('api/v1/tokenize', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ tokenizer: 'gpt2', text, specials: 'text' }) })).json();
    const all = document.createDocumentFragment();
    answer.tokens.forEach(({ span_utf16: [from, to] }, n) => {
      const span = document.createElement('span');
      span.textContent = text.slice(from, to);
      span.style.background = ['#d6f2ef', '#97a5ed', '#f7e9d6', '#cd94cf'][n % 4];
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
  const paste = await timed(draw), scroll = [], key = [];
  for (let n = 0; n < scrolls / 4; n++) scroll.push(await timed(() => { box.scrollTop += 300; }));
  for (let n = 0; n < keys; n++) {
    text = `${text.slice(0, text.length >> 1)}x${text.slice(text.length >> 1)}`;
    key.push(await timed(draw));
  }
  const after = await held();
  box.remove();
  return { paste_ms: paste, key_ms: key, scroll_ms: scroll, memory_mb: before === null ? null : (after - before) / 1e6 };
};
