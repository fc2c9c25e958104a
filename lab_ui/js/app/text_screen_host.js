/** What a text screen takes: the parts of its context under the names of `TextScreen` and its parts. */
import { duration, plural } from '../util/format.js';
import { Screen } from './screen.js';

const ENCODING = 'Encoding… Esc to stop';
/** The settings by the names that the text screens use. */
const NAMES = {
  baseline: 'compare.baseline',
  hidden: 'compare.hidden',
  compareView: 'compare.view',
  inspectView: 'inspect.view',
  ...Object.fromEntries(
    ['showMeter', 'contextSize', 'price', 'showChanges', 'showCuts', 'cutEvery'].map(name => [name, `inspect.${name}`]),
  ),
};
const settingOf = name => NAMES[name] ?? name;

/** Settings, catalog and text as one object that reports `change` with the set of the names that changed. */
class TextState extends EventTarget {
  #context;

  /** @param {import('./context.js').Context} context @param {AbortSignal} life */
  constructor(context, life) {
    super();
    this.#context = context;
    const { settings, catalog, session } = context;
    const short = Object.fromEntries(Object.entries(NAMES).map(([name, long]) => [long, name]));
    for (const name of [...settings.names.map(long => short[long] ?? long)])
      Object.defineProperty(this, name, { get: () => settings.get(settingOf(name)) });
    const report = names => this.dispatchEvent(new CustomEvent('change', { detail: new Set(names) }));
    settings.on(null, changed => report([...changed].map(name => short[name] ?? name)), life);
    catalog.addEventListener('change', () => report(['entries']), { signal: life });
    session.addEventListener('replace', () => report(['text']), { signal: life });
  }

  get entries() {
    return this.#context.catalog.entries;
  }
  get text() {
    return this.#context.session.text;
  }
  get textVersion() {
    return this.#context.session.version;
  }
  get encodeOptions() {
    const { settings } = this.#context;
    return {
      addSpecialTokens: settings.get('addSpecialTokens'),
      specials: settings.get('specials'),
      ignoreSpaces: settings.get('ignoreSpaces'),
    };
  }
  get compared() {
    const { settings } = this.#context;
    return settings.get('chosen').filter(id => !settings.get('compare.hidden').includes(id));
  }

  set(patch) {
    this.#context.settings.set(
      Object.fromEntries(Object.entries(patch).map(([name, value]) => [settingOf(name), value])),
    );
  }
  edited(read) {
    this.#context.session.edited(read);
  }
  entry(id) {
    return this.#context.catalog.entry(id);
  }
  nameOf(id) {
    return this.#context.catalog.nameOf(id);
  }
  letterOf(id) {
    return this.#context.catalog.letterOf(id);
  }
  revisionOf(id) {
    return this.#context.catalog.revisionOf(id);
  }

  /** Leaves a tokenizer out of Compare, or takes it in again. @returns {boolean} false: it is the last one */
  toggleHidden(id) {
    const { settings } = this.#context;
    const before = settings.get('compare.hidden');
    const hidden = before.includes(id) ? before.filter(other => other !== id) : [...before, id];
    if (hidden.length >= settings.get('chosen').length) return false;
    settings.set({ 'compare.hidden': hidden });
    return true;
  }
}

/** The context of a text screen under the names that its parts use. */
export class TextHost {
  #context;

  constructor(context, life) {
    this.#context = context;
    this.state = /** @type {any} */ (new TextState(context, life));
    this.nonce = context.nonce;
    this.vocabulary = context.vocabulary;
    this.activity = context.activity;
  }

  setText(text, source) {
    this.#context.session.setText(text, source);
  }
  showError(error, sticky = false) {
    this.#context.status.showError(error, { sticky });
  }
  clearError() {
    this.#context.status.clearError();
  }
  announce(message) {
    this.#context.status.announce(message);
  }
  setProgress(message) {
    this.#context.status.progress(message);
  }
  setNote(message) {
    this.#context.status.note(message);
  }
  showNow(message) {
    this.#context.status.now(message);
  }
  startProgress() {
    return this.#context.status.startProgress(ENCODING);
  }
  copyText(text, message) {
    return this.#context.clipboard.copy(text, message);
  }
  openAddTokenizer() {
    this.#context.dialog.open();
  }
  usePreset(ids) {
    this.#context.dialog.use(ids);
  }
  go(name, params) {
    this.#context.router.go(name, params);
  }

  /**
   * The facts of the text in the status line.
   * @param {Object} editor a token-text
   * @param {string|null} text its text; null: not looked at
   * @param {Object|null} [result] with sizes and time; null: none is known
   */
  showSource(editor, text, result = null) {
    const { source } = this.#context.session;
    const breaks = text === null ? '' : `, ${text.includes('\r\n') ? 'CRLF' : text.includes('\r') ? 'CR' : 'LF'}`;
    this.#context.status.facts({
      format: `${source.name ? `${source.name} · ` : ''}${source.encoding}${breaks}`,
      source: result
        ? `${plural(result.text_bytes, 'byte')} · ${plural(result.text_characters, 'character')} · ${plural(editor.lineCount, 'line')}`
        : '',
      time: result ? `updated in ${duration(result.elapsed_ns)}` : '',
    });
  }
}

/** A screen whose work is done by a `TextScreen`. */
export class TextScreenHost extends Screen {
  #View;
  /** @type {any} */
  #view;

  /** @param {new (lab: any) => any} View makes a `TextScreen` */
  constructor(View) {
    super();
    this.#View = View;
  }

  mount(root, context) {
    this.#view = new this.#View(/** @type {any} */ (new TextHost(context, this.life)));
    root.append(this.#view.element);
  }
  activate() {
    if (!this.#view.started) this.#view.start();
    this.#view.started = true;
    this.#view.show();
  }
  deactivate() {
    this.#view.hide();
  }
  /** Caret, scroll position and undo history are the editor's. */
  get holdsInput() {
    return true;
  }
  get commands() {
    return this.#view.commands;
  }
  get exportable() {
    const element = this.#view.pictured;
    return element && { element, legend: this.#view.heads };
  }
  focusText() {
    this.#view.focusText();
  }
  renew() {
    this.#view.encode();
  }
  stop() {
    return this.#view.stop();
  }
}
