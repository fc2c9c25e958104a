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
  const fieldOf = () => frame.contentDocument?.querySelector('textarea');
  frame.addEventListener('load', () => {
    frame.contentDocument?.addEventListener('input', () => {
      model.set('text', fieldOf()?.value ?? '');
      model.save_changes();
    });
  });
  const take = () => {
    const field = fieldOf();
    if (!field || field.value === model.get('text')) return;
    field.value = model.get('text');
    field.dispatchEvent(new Event('input'));
  };
  model.on('change:text', take);
  frame.srcdoc = model.get('page');
  el.append(frame);
  return () => {
    stop();
    model.off('change:text', take);
  };
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
