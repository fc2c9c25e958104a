/**
 * The frame around every screen: rail, tokenizer bar, error banner, work, status line. It only shows and reports; what
 * the controls mean is decided in bar.js and start.js.
 */
import { LabElement } from '../../ui/element.js';
import { ErrorBanner } from './error_banner.js';
import { JobTray } from './job_tray.js';
import { MenuButton } from '../../ui/menu_button.js';
import { TokenizerChips } from '../tokenizers/tokenizer_chips.js';
import { keyParts, keyWords } from '../commands/command.js';
import { BESIDE, guideOf } from '../guide.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { ICONS, icon } from '../../ui/icons.js';
import { roving } from '../../ui/roving.js';

const THEMES = {
  system: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 3v2M12 19v2M3 12h2M19 12h2' +
    'M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4l1.4-1.4M17 7l1.4-1.4',
  dark: 'M19 14a7.5 7.5 0 0 1-9-9a7.5 7.5 0 1 0 9 9z',
};
/** @type {Object<string, string>} */
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' };

export class AppFrame extends LabElement {
  work = h('main', { class: 'work', id: 'work' });
  banner = new ErrorBanner();
  chips = new TokenizerChips();
  jobs = new JobTray();
  /** What can be saved or shared; filled by who knows. */
  exports = new MenuButton();
  /** Holds the controls of the screen that is shown. */
  #own = h('div', { class: 'bar-own' });
  #live = h('div', { class: 'visually-hidden', 'aria-live': 'polite', 'data-role': 'live' });
  #source = h('span', { class: 'number' });
  #format = h('span', {});
  #note = h('span', { class: 'note' });
  #progress = h('span', { 'data-role': 'progress' });
  #now = h('span', { class: 'facts-now number' });
  #time = h('span', { class: 'number', 'data-role': 'time' });
  #skip = h('button', { type: 'button', class: 'skip', 'data-role': 'skip', onclick: () => this.emit('skip') });
  /** @type {HTMLButtonElement} */
  #theme;
  /** @type {HTMLButtonElement} */
  #present;
  /** @type {HTMLInputElement} */
  #file;
  #rail = new Map();
  /** Opens the page of the screen that is shown. */
  #guide = h('a', { class: 'beside', href: guideOf(), ...BESIDE }, icon(ICONS.book), h('span', {}, 'Guide'));
  /** Makes the link of the shown screen the one stop of Tab in the rail. @type {(link?: HTMLElement|null) => void} */
  #renewRail = () => {};

  /** @param {{name: string, label: string, icon: string}[]} screens */
  start(screens) {
    /** @param {string} type @param {string|File[]} [detail] */
    const report = (type, detail) => this.emit(type, detail);
    for (const { name, label, icon: path } of screens)
      this.#rail.set(name, h('a', { href: `#/${name}` }, icon(path), h('span', {}, label)));
    this.#theme = h('button', {
      type: 'button',
      class: 'button',
      'data-role': 'theme',
      onclick: () => report('themechange', NEXT_THEME[this.#theme.dataset.theme ?? 'system']),
    });
    this.#present = actionButton(icon(ICONS.present, 16), () => report('present'), {
      class: 'button',
      hidden: true,
      title: `Present (${keyWords('P')})`,
      'aria-label': 'Present',
      'data-role': 'present',
    });
    this.#file = fileChooser('text-file', files => report('openfile', files));
    this.classList.add('lab');
    const rail = h(
      'nav',
      { class: 'rail', 'aria-label': 'Screens' },
      h('span', { class: 'mark', 'aria-hidden': 'true' }, 'a|b'),
      ...this.#rail.values(),
      this.#guide,
    );
    this.#renewRail = roving(rail, 'a', { vertical: true });
    this.#renewRail();
    this.append(
      this.#skip,
      rail,
      h(
        'header',
        { class: 'bar' },
        this.chips,
        actionButton(
          [icon(ICONS.plus, 16), h('span', { class: 'wide' }, 'Add tokenizer')],
          () => report('addtokenizer'),
          { class: 'button add', 'data-role': 'add-tokenizer', title: 'Add tokenizer', 'aria-label': 'Add tokenizer' },
        ),
        h('span', { class: 'grow' }),
        this.jobs,
        this.#own,
        this.#file,
        actionButton(
          [
            icon(ICONS.lens, 16),
            h('span', { class: 'wide' }, 'Search'),
            h('kbd', { 'aria-hidden': 'true', 'data-keys': keyParts('Mod+K').join(' ') }),
          ],
          () => report('palette'),
          {
            class: 'button',
            title: `Find a command (${keyWords('Mod+K')})`,
            'aria-label': 'Search',
            'data-role': 'open-palette',
          },
        ),
        this.exports,
        this.#present,
        this.#theme,
      ),
      h('div', { class: 'banner' }, this.banner),
      this.work,
      h('footer', { class: 'status' }, this.#source, this.#format, this.#note, this.#progress, this.#now, this.#time),
      this.#live,
    );
    this.exports.label = 'Export';
    this.exports.hook = 'export';
    this.exports.quiet = true;
  }

  /** The file is chosen by the system's own dialog. */
  openFile() {
    this.#file.click();
  }

  /** @param {string} place where the first stop of Tab leads, such as "the text" */
  set skipTo(place) {
    setText(this.#skip, `Skip to ${place}`);
  }

  /** @param {{export: boolean, present: boolean}} shown which controls do something on the screen that is shown */
  set controls(shown) {
    this.exports.hidden = !shown.export;
    this.#present.hidden = !shown.present;
  }

  /** @param {HTMLElement|null} controls of the screen that is shown */
  set barControls(controls) {
    this.#own.replaceChildren(...(controls ? [controls] : []));
  }

  /** @param {string} name of the screen that is shown */
  set screen(name) {
    this.dataset.screen = name;
    for (const [key, link] of this.#rail)
      if (key === name) link.ariaCurrent = 'page';
      else link.removeAttribute('aria-current');
    this.#renewRail(this.#rail.get(name));
    this.#guide.setAttribute('href', guideOf(name));
    this.#guide.title = `The guide on ${this.#rail.get(name)?.textContent}, beside the lab`;
  }

  /** @param {'system'|'light'|'dark'} theme */
  set theme(theme) {
    this.#theme.dataset.theme = theme;
    this.#theme.replaceChildren(icon(THEMES[theme], 16));
    this.#theme.ariaLabel = this.#theme.title = `Theme: ${theme}. Change to ${NEXT_THEME[theme]}`;
  }

  /**
   * @param {{source?: string, format?: string, time?: string, now?: string, progress?: string, note?: string}} parts of
   *   the status line
   */
  set status(parts) {
    /** @type {Object<string, HTMLElement>} */
    const places = {
      source: this.#source,
      format: this.#format,
      time: this.#time,
      now: this.#now,
      progress: this.#progress,
      note: this.#note,
    };
    for (const [name, text] of Object.entries(parts)) setText(places[name], text);
  }

  /** @param {{message: string, hint?: string}|null} error */
  set error(error) {
    this.banner.error = error;
  }

  /**
   * Says something to assistive tools. They read what changes: the same message is taken away first.
   * @param {string|null} message
   */
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
