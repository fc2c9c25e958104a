/**
 * What the screens share and the frame shows: state, catalog, errors, files, keys. Screens are handed this object; they
 * never know each other.
 */
import { exportText } from '../api/export.js';
import { Preferences } from '../api/preferences.js';
import { keepRecipe } from '../api/compose.js';
import { ended, follow, listJobs, startHub, startKnown, stopJob } from '../api/jobs.js';
import { Vocabulary, addFiles, listTokenizers, removeTokenizer } from '../api/tokenizers.js';
import { AddTokenizer } from './add_tokenizer.js';
import { AppFrame } from './app_frame.js';
import { CommandPalette } from './command_palette.js';
import { KeyMap } from './key_map.js';
import { pictureOf, pngOf } from '../editor/text_picture.js';
import { setTextScale } from '../editor/token_text.js';
import { Activity } from './activity.js';
import { labCommands } from './commands.js';
import { commandFor } from './command.js';
import { closest, h, listen } from '../ui/dom.js';
import { EarlyKeys } from './early_keys.js';
import { fontsLoaded } from '../ui/fonts.js';
import { duration, plural } from '../util/format.js';
import { LabState, TEXT_SIZES } from './lab_state.js';
import { Latest } from '../util/latest.js';
import { LINKED, LONGEST_TEXT, permalink } from './permalink.js';
import { startRouter } from './router.js';
import { SAMPLES } from '../text/samples.js';
import { readTextFile } from './text_file.js';

const SLOW_MS = 1000;
const ENCODING = 'Encoding… Esc to stop';
const PIXELS = 2; // of a picture, for one of the screen
const USUAL = new LabState();
const PASSING = ['text', 'source', 'entries', 'fetching']; // what is not remembered
const FIRST_CHOICE = ['bert-base-uncased', 'gpt2'];

export class Lab {
  state = new LabState();
  vocabulary = new Vocabulary();
  /** The screen with a text that was shown last. */
  textScreen = 'inspect';
  activity = new Activity(document.documentElement);
  #frame = new AppFrame();
  #dialog = new AddTokenizer();
  #palette = new CommandPalette();
  #keys = new KeyMap();
  #names = [];
  #preferences = new Preferences();
  #screens = new Map();
  #screen = null;
  #sources = new Map();
  #progress = '';
  #stays = false;
  #jobs = new Map();
  #opening = new Latest();
  #systemDark = matchMedia('(prefers-color-scheme: dark)');

  #mostBytes;
  #accepting = false;

  /**
   * @param {string} nonce of the page's style elements
   * @param {number} mostBytes that the backend takes in one request
   */
  constructor(nonce, mostBytes) {
    this.nonce = nonce;
    this.#mostBytes = mostBytes;
  }

  /** @param {{name: string, label: string, View: new (lab: Lab) => Object}[]} screens the first is the start page */
  async start(screens) {
    document.body.append(this.#frame, this.#dialog, this.#palette, this.#keys);
    this.#names = screens;
    this.#frame.start(screens);
    const early = new EarlyKeys(window);
    await this.activity.track(Promise.all([this.#load(), fontsLoaded()]));
    for (const { name, View } of screens) {
      this.#screens.set(name, new View(this));
    }
    this.#connect();
    this.#applyTextSize();
    this.#show();
    startRouter([...this.#screens.keys()], (name, values, text) => {
      this.#accepting = true;
      if (values) this.#accept(values, text);
      this.#accepting = false;
      this.#go(name);
    });
    const words = early.end();
    if (words !== null) {
      this.#palette.show(this.#commands());
      this.#palette.type(words);
    }
    this.#resumeJobs();
  }

  /** Takes over a text that nobody typed. @param {{name: string|null, encoding: string}} [source] */
  setText(text, source = { name: null, encoding: 'UTF-8' }) {
    this.state.set({ text, source });
  }

  /**
   * @param {Error & {hint?: string, code?: string}} error stays until something works again or it is dismissed
   * @param {boolean} [stays] what works again says nothing about it: until other tokenizers are chosen
   */
  showError(error, stays = false) {
    this.#stays = stays;
    if (!error.hint && !error.code) console.error(error); // a fault of the page itself
    const refused = error.code === 'encode_error' && this.state.specials === 'reject';
    this.#frame.error.error = {
      message: error.message,
      hint: refused
        ? 'Choose “As text” to read it as ordinary text, or “Parse” to make it the special token.'
        : error.hint,
    };
  }
  clearError() {
    if (!this.#stays) this.#frame.error.error = null;
  }

  announce(words) {
    this.#frame.announce(words);
  }
  setProgress(words) {
    this.#progress = words;
    this.#frame.status = { progress: words };
  }
  /** What helps to read the screen, in the status line. */
  setNote(words) {
    this.#frame.status = { note: words };
  }
  showNow(words) {
    this.#frame.status = { now: words };
  }

  /** Says that work takes long, when it does. @returns {() => void} to call at the end */
  startProgress() {
    this.setProgress('');
    const timer = setTimeout(() => this.setProgress(ENCODING), SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (this.#progress === ENCODING) this.setProgress('');
    };
  }

  /**
   * The facts of the text in the status line.
   * @param {Object} editor a token-text
   * @param {string|null} text its text; null: not looked at
   * @param {Object|null} [result] with sizes and time; null: none is known
   */
  showSource(editor, text, result = null) {
    const { source } = this.state;
    const breaks = text === null ? '' : `, ${text.includes('\r\n') ? 'CRLF' : text.includes('\r') ? 'CR' : 'LF'}`;
    const parts = {
      format: `${source.name ? `${source.name} · ` : ''}${source.encoding}${breaks}`,
      source: result
        ? `${plural(result.text_bytes, 'byte')} · ${plural(result.text_characters, 'character')} · ${plural(editor.lineCount, 'line')}`
        : '',
      time: result ? `updated in ${duration(result.elapsed_ns)}` : '',
    };
    // Kept for when the screen is shown again.
    for (const screen of this.#screens.values()) if (screen.text === editor) this.#sources.set(screen, parts);
    if (this.#screen?.text === editor) this.#frame.status = parts;
  }

  openAddTokenizer() {
    this.#drawDialog();
    this.#dialog.open();
  }

  /** Brings a known tokenizer's files in and uses it. */
  async fetchTokenizer(id) {
    const { state } = this;
    this.#dialog.problem = null;
    state.set({ fetching: [...state.fetching, id] });
    try {
      await this.#fetch(startKnown(id));
    } catch (error) {
      this.#dialog.problem = error;
      if (!this.#dialog.querySelector('dialog').open) this.showError(error);
    }
    state.set({ fetching: state.fetching.filter(other => other !== id) });
  }

  /**
   * Fetches the tokenizer of a Hub's repository and uses it.
   * @param {string} reference `OWNER/NAME[@REVISION]`
   * @returns {Promise<boolean>} false where it was stopped
   * @throws {Error & {hint?: string, code?: string}}
   */
  fetchFromHub(reference) {
    return this.#fetch(startHub(reference));
  }

  /**
   * Puts a tokenizer together, keeps it and uses it.
   * @param {Object} recipe
   * @param {string} id
   * @throws {Error & {hint?: string}}
   */
  async composeTokenizer(recipe, id) {
    const entry = await this.activity.track(keepRecipe(recipe, id));
    await this.#change(async () => entry.id);
  }

  /** @param {Promise<Object>} start of a job that fetches a tokenizer */
  async #fetch(start) {
    const job = await start;
    try {
      const entry = await follow(job, now => this.#showJob(now));
      if (entry) await this.#change(async () => entry.id);
      return Boolean(entry);
    } finally {
      this.#dropJob(job.id); // also when nobody can say any more what became of it
    }
  }

  #showJob(job) {
    this.#jobs.set(job.id, job);
    this.#frame.jobs.jobs = [...this.#jobs.values()].filter(one => !ended(one));
  }

  #dropJob(id) {
    this.#jobs.delete(id);
    this.#frame.jobs.jobs = [...this.#jobs.values()];
  }

  /**
   * Work that was begun before the page was loaded goes on: it is shown and can be stopped, and what it brings is
   * shown.
   */
  async #resumeJobs() {
    try {
      for (const job of (await listJobs()).filter(one => !ended(one)))
        this.#fetch(Promise.resolve(job)).catch(error => this.showError(error));
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {File[]} files */
  addFiles(files, pattern) {
    return this.#change(async () => (await addFiles(files, { pattern })).id);
  }

  /** Takes a tokenizer out of the catalog. */
  forgetTokenizer(id) {
    return this.#change(async () => {
      await removeTokenizer(id);
      this.vocabulary.forget(id);
      this.state.remove(id);
      return null;
    });
  }

  /** @param {File} file of text; one that is chosen later counts, however long this one takes */
  openFile(file) {
    return this.activity.track(
      (async () => {
        try {
          const read = await this.#opening.run(() => readTextFile(file, this.#mostBytes));
          if (!read) return;
          this.clearError();
          this.setText(read.text, { name: file.name, encoding: read.encoding });
        } catch (error) {
          this.showError(error);
        }
      })(),
    );
  }

  /** The text is another one than the address says: a reload must not take back what was typed since. */
  textChanged() {
    if (!this.#accepting && /[?&]text=/.test(location.hash))
      history.replaceState(null, '', `#/${this.#frame.dataset.screen}`);
  }

  /** The address of what is shown, with its text where that is short. @returns {string} */
  get address() {
    return (
      location.origin + location.pathname + permalink(this.state, this.#frame.dataset.screen, USUAL, this.state.text)
    );
  }

  /**
   * Saves what is shown as a file, under the tokenizers in use, in Compare without those that are hidden.
   * @param {'json'|'csv'|'html'} format
   */
  exportText(format) {
    const { state } = this;
    const tokenizers = this.#frame.dataset.screen === 'compare' ? state.compared : state.chosen;
    const { text, addSpecialTokens, specials, ignoreSpaces } = state;
    return this.activity.track(
      (async () => {
        try {
          const { name, data } = await exportText({
            tokenizers,
            text,
            format,
            addSpecialTokens,
            specials,
            ignoreSpaces,
          });
          this.#keep(name, data, '');
        } catch (error) {
          this.showError(error);
        }
      })(),
    );
  }

  /** Saves what is in the window as a picture, drawn by the page itself. @param {'svg'|'png'} format */
  exportPicture(format) {
    const screen = this.#screen;
    const element = screen?.pictured;
    return this.activity.track(
      (async () => {
        try {
          if (!element)
            throw Object.assign(new Error('There is no text with tokens on the screen to make a picture of.'), {
              hint: 'Choose “Text” in Inspect, or “Aligned” or “Side by side” in Compare.',
            });
          const heads = screen.heads;
          const title = heads.map(({ name, words }) => `${name}: ${words}`).join(', ');
          const picture = pictureOf(element, { heads, title });
          const data =
            format === 'svg' ? new Blob([picture.svg], { type: 'image/svg+xml' }) : await pngOf(picture, PIXELS);
          this.#keep(
            `${heads
              .map(({ id }) => id)
              .join('-')
              .slice(0, 80)}.${format}`,
            data,
            picture.whole ? '' : ', the part in the window',
          );
        } catch (error) {
          this.showError(error);
        }
      })(),
    );
  }

  /** Hands a file over to be saved: the browser or the window asks where. */
  #keep(name, data, remark) {
    const url = URL.createObjectURL(data);
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    this.announce(`${name} is saved${remark}`);
  }

  /**
   * @param {string} text
   * @param {string} words that are said when it worked
   * @returns {Promise<string>} what became of it
   */
  async copyText(text, words) {
    let said = words;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = 'Not copied: clipboard access is blocked.';
    }
    this.announce(said);
    return said;
  }

  async copyAddress() {
    const { address } = this;
    try {
      await navigator.clipboard.writeText(address);
      const words = `The address of this view is copied${this.state.text.length > LONGEST_TEXT ? ', without its text, which is too long for one: save the session in Reports to keep it' : ''}`;
      this.announce(words);
      this.setProgress(words);
    } catch {
      this.showError(
        Object.assign(new Error(`The address could not be copied: ${address}`), {
          hint: 'The browser keeps pages from the clipboard; copy it from here.',
        }),
      );
    }
  }

  /** What an address says; tokenizers that are not here are named, the others are used. */
  #accept(values, text) {
    const asked = values.chosen ?? [];
    const here = asked.filter(id => this.state.entry(id)?.available);
    const gone = asked.filter(id => !here.includes(id));
    // An address that names tokenizers says all of a view: what it leaves out is as usual.
    const usual = asked.length ? Object.fromEntries(LINKED.map(name => [name, USUAL[name] ?? here[0] ?? null])) : {};
    this.state.accept({ ...usual, ...values, chosen: here.length ? here : this.state.chosen });
    if (text !== null) this.setText(text, { name: 'address', encoding: 'UTF-8' });
    if (gone.length)
      this.showError(
        Object.assign(
          new Error(`This link uses ${gone.join(', ')}, which ${gone.length === 1 ? 'is' : 'are'} not installed.`),
          { hint: 'Add it with “Add tokenizer”, then open the link again.' },
        ),
        true,
      );
  }

  async #load() {
    try {
      const [{ tokenizers: entries, patterns }, saved] = await Promise.all([
        listTokenizers(),
        this.#preferences.load(),
      ]);
      this.#dialog.patterns = patterns;
      this.state.set({ entries, text: SAMPLES[0].text });
      this.state.restore(saved);
      const usable = id => entries.some(entry => entry.id === id && entry.available && !entry.problem);
      const chosen = this.state.chosen.filter(usable);
      const first = FIRST_CHOICE.filter(usable);
      const others = entries.map(entry => entry.id).filter(usable);
      this.state.set({ chosen: chosen.length ? chosen : first.length === 2 ? first : others.slice(0, 2) });
    } catch (error) {
      this.showError(error);
    }
  }

  /**
   * Changes the catalog, then shows it; a failure stands in the dialog where one is open, so that the reason is beside
   * the cause.
   */
  #change(work) {
    this.#dialog.problem = null;
    this.#drawDialog();
    return this.activity.track(
      (async () => {
        try {
          const added = await work();
          this.state.set({ entries: (await listTokenizers()).tokenizers });
          if (added && !this.state.add(added))
            throw Object.assign(new Error(`${added} is in the library, but eight tokenizers are in use.`), {
              hint: 'Remove one to use it.',
            });
        } catch (error) {
          this.#dialog.problem = error;
          if (!this.#dialogOpen) this.showError(error);
        }
        this.#drawDialog();
      })(),
    );
  }

  #drawDialog() {
    this.#dialog.show({
      entries: this.state.entries,
      chosen: this.state.chosen,
      letterOf: id => this.state.letterOf(id),
      busy: new Set(this.state.fetching),
    });
  }

  #go(name) {
    const view = this.#screens.get(name);
    if (this.#screen === view) return;
    if (this.#screen) {
      this.#screen.hide();
      this.clearError(); // it was about the screen that is left
    }
    const first = !view.started;
    this.#screen = view;
    this.#frame.screen = name;
    if (view.text) this.textScreen = name;
    this.#frame.dataset.screen = name;
    this.#frame.status = { source: '', format: '', time: '', now: '', note: '', ...this.#sources.get(view) };
    this.setProgress('');
    // Only the screen that is shown is in the page: what it holds exists once, and costs nothing while it is away.
    this.#frame.work.replaceChildren(view.element);
    if (first) view.start();
    view.started = true;
    view.show();
    this.#drawChips();
  }

  #connect() {
    const { state } = this;
    const frame = this.#frame;
    const dialog = this.#dialog;
    listen(state, 'change', detail => this.#onState(detail));
    listen(frame.chips, 'pick', detail => {
      state.set({ active: detail });
      if (frame.dataset.screen !== 'inspect' && !this.#screen?.followsActive) location.hash = '#/inspect';
    });
    listen(frame.chips, 'remove', detail => state.remove(detail));
    frame.addEventListener('addtokenizer', () => this.openAddTokenizer());
    listen(frame, 'openfile', detail => this.openFile(detail));
    listen(frame.jobs, 'stop', detail => stopJob(detail).catch(error => this.showError(error)));
    listen(frame, 'themechange', detail => state.set({ theme: detail }));
    listen(frame, 'sample', detail => this.setText(detail));
    listen(frame.addSpecialTokens, 'valuechange', detail => state.set({ addSpecialTokens: detail }));
    listen(frame.specials, 'valuechange', detail => state.set({ specials: detail }));
    listen(dialog, 'use', detail => {
      state.add(detail);
      this.#drawDialog();
    });
    listen(dialog, 'remove', detail => {
      state.remove(detail);
      this.#drawDialog();
    });
    listen(dialog, 'preset', detail => this.usePreset(detail));
    listen(dialog, 'fetch', detail => this.fetchTokenizer(detail));
    listen(dialog, 'files', detail => this.addFiles(detail.files, detail.pattern));
    listen(frame, 'palette', () => this.#palette.show(this.#commands()));
    this.#systemDark.addEventListener('change', () => this.#applyTheme());
    addEventListener('keydown', event => this.#onKey(event));
    addEventListener('pagehide', () => this.#preferences.flush());
    this.#acceptDrops();
  }

  /** @param {string[]} ids those that are here are used, one that is missing is asked for */
  usePreset(ids) {
    const here = ids.filter(id => this.state.entry(id)?.available);
    const missing = ids.filter(id => this.state.entry(id) && !here.includes(id));
    if (here.length) this.state.set({ chosen: here });
    this.#drawDialog();
    if (!missing.length) {
      this.#dialog.close();
      return;
    }
    for (const id of missing) this.fetchTokenizer(id);
  }

  #onState(changed) {
    if (changed.has('chosen')) this.#stays = false;
    if (changed.has('theme')) this.#applyTheme();
    if (changed.has('textSize')) this.#applyTextSize();
    this.#show();
    if (changed.has('text')) {
      this.showNow('');
      this.textChanged();
    }
    if (changed.has('fetching')) this.#drawDialog();
    if (![...changed].every(name => PASSING.includes(name))) this.#preferences.save(this.state.preferences);
  }

  #show() {
    const { state } = this;
    this.#drawChips();
    this.#frame.addSpecialTokens.checked = state.addSpecialTokens;
    this.#frame.specials.value = state.specials;
    this.#frame.theme = state.theme;
    this.#applyTheme();
  }

  #applyTextSize() {
    const times = TEXT_SIZES[this.state.textSize];
    document.documentElement.style.setProperty('--text-scale', String(times));
    setTextScale(times);
  }

  #drawChips() {
    const { state } = this;
    const inspecting = this.#frame.dataset.screen === 'inspect' || Boolean(this.#screen?.followsActive);
    this.#frame.dataset.many = String(state.chosen.length > 3);
    this.#frame.dataset.some = String(state.chosen.length > 2);
    this.#frame.chips.tokenizers = state.chosen.map(id => ({
      id,
      name: state.nameOf(id),
      letter: state.letterOf(id),
      active: inspecting && id === state.active,
    }));
  }

  #applyTheme() {
    const { theme } = this.state;
    document.documentElement.dataset.theme = theme === 'system' ? (this.#systemDark.matches ? 'dark' : 'light') : theme;
  }

  #onKey(event) {
    if (event.defaultPrevented) return; // the editor, a list or a dialog took it
    const { key, ctrlKey, metaKey, altKey } = event;
    const single = !(ctrlKey || metaKey) && key !== 'F8';
    if (this.#palette.open || this.#keys.open || closest(event, '.pieces-dialog')) return;
    if (key === 'Escape') {
      this.#escape(event);
      return;
    }
    if (altKey || (single && this.#dialogOpen)) return;
    const typing = closest(event, '[contenteditable=true], input, textarea, select');
    const steering = closest(event, '[role=radiogroup], [role=tablist], virtual-list, token-drawer');
    if (typing && single) return;
    if (steering && key.startsWith('Arrow')) return;
    const command = commandFor(this.#commands(), event);
    if (!command) return;
    event.preventDefault();
    command.run();
  }

  get #dialogOpen() {
    return this.#dialog.querySelector('dialog').open;
  }

  /** Those of the screen first. @returns {import('./command.js').Command[]} */
  #commands() {
    const { label } = this.#names.find(({ name }) => this.#screens.get(name) === this.#screen) ?? { label: '' };
    const own = this.#screen?.commands ?? [];
    const show = dialog => () => {
      if (!this.#dialogOpen) dialog.show(this.#commands());
    };
    return [
      ...own.map(command => ({ group: label, ...command })),
      ...labCommands(this, this.#names, {
        openFile: () => this.#frame.openFile(),
        encode: () => this.#screen.encode?.(),
        showKeys: show(this.#keys),
        showPalette: show(this.#palette),
        showExports: () => {
          if (!this.#dialogOpen) this.#palette.show(this.#commands(), 'export');
        },
      }),
    ];
  }

  /** Esc stops what is running; in the text, a second use of it lets the keyboard leave the editor. */
  #escape(event) {
    if (this.#dialogOpen || this.#screen?.stop?.()) return;
    if (closest(event, '[contenteditable=true]')) event.target.blur();
    else this.#screen?.focusText?.();
  }

  /** Files of text can be dropped anywhere; without this the window would show the file instead of the lab. */
  #acceptDrops() {
    let depth = 0;
    const hint = h('div', { class: 'drop-hint', hidden: true }, 'Drop a text file to tokenize it');
    document.body.append(hint);
    const hasFiles = event => [...(event.dataTransfer?.types ?? [])].includes('Files');
    addEventListener('dragenter', event => {
      if (hasFiles(event)) {
        depth++;
        hint.hidden = false;
      }
    });
    addEventListener('dragleave', event => {
      if (hasFiles(event) && --depth <= 0) {
        depth = 0;
        hint.hidden = true;
      }
    });
    addEventListener('dragover', event => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener(
      'drop',
      event => {
        depth = 0;
        hint.hidden = true;
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        const [file] = event.dataTransfer.files;
        if (file) this.openFile(file);
      },
      true,
    );
  }
}
