/**
 * The frame around every screen: rail, tokenizer bar, error banner, work, status line. It only shows and reports; what
 * the controls mean is decided in bar.js and start.js.
 */
import { LabElement } from '../ui/element.js';
import { ErrorBanner } from './error_banner.js';
import { JobTray } from './job_tray.js';
import { SegmentedControl } from '../ui/segmented_control.js';
import { ToggleSwitch } from '../ui/toggle_switch.js';
import { TokenizerChips } from './tokenizer_chips.js';
import { keyWords } from './command.js';
import { h, setText } from '../ui/dom.js';
import { ICONS, icon } from '../ui/icons.js';

const THEMES = {
  system: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 3v2M12 19v2M3 12h2M19 12h2' +
    'M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4l1.4-1.4M17 7l1.4-1.4',
  dark: 'M19 14a7.5 7.5 0 0 1-9-9a7.5 7.5 0 1 0 9 9z',
};
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' };

const SPECIAL_TEXT = [
  { value: 'parse', label: 'Parse', hint: 'Text like <|endoftext|> becomes the special token' },
  { value: 'text', label: 'As text', hint: 'Text like <|endoftext|> is ordinary text (the default)' },
  { value: 'reject', label: 'Reject', hint: 'Text like <|endoftext|> is an error' },
];

export class AppFrame extends LabElement {
  work = h('main', { class: 'work', id: 'work' });
  banner = new ErrorBanner();
  chips = new TokenizerChips();
  jobs = new JobTray();
  addSpecialTokens = h(new ToggleSwitch(), { hook: 'specials' });
  specials = h(new SegmentedControl(), { ariaLabel: 'Special tokens in text' });
  #live = h('div', { class: 'visually-hidden', 'aria-live': 'polite', 'data-role': 'live' });
  #source = h('span', { class: 'number' });
  #format = h('span', {});
  #note = h('span', { class: 'note' });
  #progress = h('span', { 'data-role': 'progress' });
  #now = h('span', { class: 'facts-now number' });
  #time = h('span', { class: 'number', 'data-role': 'time' });
  #skip = h('button', { type: 'button', class: 'skip', 'data-role': 'skip', onclick: () => this.emit('skip') });
  #theme;
  #file;
  #rail = new Map();

  /** @param {{name: string, label: string, icon: string}[]} screens */
  start(screens) {
    const report = (type, detail) => this.emit(type, detail);
    for (const { name, label, icon: path } of screens)
      this.#rail.set(name, h('a', { href: `#/${name}` }, icon(path), h('span', {}, label)));
    this.#theme = h('button', {
      type: 'button',
      class: 'button',
      'data-role': 'theme',
      onclick: () => report('themechange', NEXT_THEME[this.#theme.dataset.theme]),
    });
    this.#file = h('input', {
      type: 'file',
      hidden: true,
      'data-role': 'text-file',
      tabIndex: -1,
      onchange: () => {
        if (this.#file.files.length) report('openfile', this.#file.files[0]);
        this.#file.value = '';
      },
    });
    this.classList.add('lab');
    this.append(
      this.#skip,
      h(
        'nav',
        { class: 'rail', 'aria-label': 'Screens' },
        h('span', { class: 'mark', 'aria-hidden': 'true' }, 'a|b'),
        ...this.#rail.values(),
      ),
      h(
        'header',
        { class: 'bar' },
        this.chips,
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            'data-role': 'add-tokenizer',
            'aria-label': 'Add tokenizer',
            onclick: () => report('addtokenizer'),
          },
          icon(ICONS.plus),
          h('span', { class: 'wide' }, 'Add tokenizer'),
        ),
        h('span', { class: 'grow' }),
        this.jobs,
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            title: `Open a text file (${keyWords('Mod+O')})`,
            'data-role': 'open-file',
            onclick: () => this.openFile(),
          },
          icon(ICONS.folder),
          'Open',
        ),
        this.#file,
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            title: `Find a command (${keyWords('Mod+K')})`,
            'aria-label': 'Find a command',
            'data-role': 'open-palette',
            onclick: () => report('palette'),
          },
          icon(ICONS.lens),
        ),
        this.addSpecialTokens,
        h('span', { class: 'label', 'aria-hidden': 'true' }, 'Special tokens in text'),
        this.specials,
        this.#theme,
      ),
      h('div', { class: 'banner' }, this.banner),
      this.work,
      h('footer', { class: 'status' }, this.#source, this.#format, this.#note, this.#progress, this.#now, this.#time),
      this.#live,
    );
    this.addSpecialTokens.label = 'Add special tokens';
    this.addSpecialTokens.hint = 'Add the tokens that the postprocessor puts around the text, such as [CLS] and [SEP]';
    this.specials.options = SPECIAL_TEXT;
    this.#icons();
  }

  #icons() {
    for (const svg of this.querySelectorAll('.bar .icon')) svg.classList.add('small');
  }

  /** The file is chosen by the system's own dialog. */
  openFile() {
    this.#file.click();
  }

  /** @param {string} place where the first stop of Tab leads, such as "the text" */
  set skipTo(place) {
    setText(this.#skip, `Skip to ${place}`);
  }

  /** @param {string} name of the screen that is shown */
  set screen(name) {
    this.dataset.screen = name;
    for (const [key, link] of this.#rail)
      if (key === name) link.ariaCurrent = 'page';
      else link.removeAttribute('aria-current');
  }

  /** @param {'system'|'light'|'dark'} theme */
  set theme(theme) {
    this.#theme.dataset.theme = theme;
    this.#theme.replaceChildren(icon(THEMES[theme]));
    this.#theme.ariaLabel = this.#theme.title = `Theme: ${theme}. Change to ${NEXT_THEME[theme]}`;
    this.#icons();
  }

  /**
   * @param {{source?: string, format?: string, time?: string, now?: string, progress?: string, note?: string}} parts of
   *   the status line
   */
  set status(parts) {
    const places = {
      source: this.#source,
      format: this.#format,
      time: this.#time,
      now: this.#now,
      progress: this.#progress,
      note: this.#note,
    };
    for (const [name, words] of Object.entries(parts)) setText(places[name], words);
  }

  /** @param {{message: string, hint?: string}|null} error */
  set error(error) {
    this.banner.error = error;
  }

  /** Says something to assistive tools. They read what changes: the same message is taken away first. */
  announce(message) {
    if (this.#live.textContent !== message) {
      this.#live.textContent = message;
      return;
    }
    this.#live.textContent = '';
    requestAnimationFrame(() => {
      if (!this.#live.textContent) this.#live.textContent = message;
    });
  }
}

customElements.define('app-frame', AppFrame);
