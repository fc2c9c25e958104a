/**
 * A page in a cell of a notebook, for anywidget: in a frame, whose styles stay inside, and whose policy allows the page's
 * own script alone and no network. What is typed there becomes the widget's `text`, and the other way round.
 */
export default { render };

/** @param {{model: any, el: HTMLElement}} cell */
function render({ model, el }) {
  const frame = document.createElement('iframe');
  frame.title = model.get('label');
  Object.assign(frame.style, { width: '100%', height: `${model.get('height')}px`, border: '0' });
  const stop = followTheme(frame);
  /** A page whose text cannot be changed has a hidden one. */
  const fieldOf = () => frame.contentDocument?.querySelector('textarea:not([hidden] *)');
  const take = () => {
    const field = fieldOf();
    const text = model.get('text');
    if (!field || field.value === text.replace(/\r\n?/g, '\n')) return; // a field has no other ends of lines
    field.value = text;
    field.dispatchEvent(new Event('input'));
  };
  frame.addEventListener('load', () => {
    const page = frame.contentDocument;
    page.addEventListener('input', ({ target }) => {
      if (target !== fieldOf()) return;
      model.set('text', target.value);
      model.save_changes();
    });
    onceReady(page.documentElement, take);
  });
  model.on('change:text', take);
  frame.srcdoc = model.get('page');
  el.append(frame);
  return () => {
    stop();
    model.off('change:text', take);
  };
}

/** Calls once the page shows its text: what was set before is not lost. */
function onceReady(root, act) {
  const isReady = () => root.dataset.state === 'ready';
  if (isReady()) return act();
  const observer = new MutationObserver(() => {
    if (!isReady()) return;
    observer.disconnect();
    act();
  });
  observer.observe(root, { attributeFilter: ['data-state'] });
}

/** The page asks which scheme the reader prefers, and a frame answers with its own: that of the notebook. */
function followTheme(frame) {
  const follow = () => {
    const dark = '[data-jp-theme-light="false"], [data-theme="dark"], [theme="dark"], .vscode-dark';
    const light = '[data-jp-theme-light="true"], .vscode-light';
    const isDark = document.querySelector(dark);
    frame.style.colorScheme = isDark ? 'dark' : document.querySelector(light) ? 'light' : 'light dark';
  };
  const observer = new MutationObserver(follow);
  for (const root of [document.documentElement, document.body])
    observer.observe(root, { attributeFilter: ['class', 'theme', 'data-theme', 'data-jp-theme-light'] });
  follow();
  return () => observer.disconnect();
}
