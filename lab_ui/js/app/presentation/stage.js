/**
 * The window while something is presented: the frame of the lab is folded away, colours and sizes are those of a
 * projector, and the keys are those of a clicker. What is presented puts its elements into `element`.
 */
import { isModalOpen } from '../../ui/dialog.js';
import { closest, focused, h } from '../../ui/dom.js';
import { onResize, onTheme } from '../../ui/element.js';
import { commandFor } from '../commands/command.js';
import { windowScale } from './presented_rows.js';
import { SIZES } from './settings.js';

const FIELDS = 'input, textarea, select, [contenteditable=true]';

export class Stage {
  element = h('section', { class: 'presenter', 'aria-label': 'Presentation', tabIndex: -1 });
  #root;
  #context;
  #size;
  #palette;
  #commands;
  #onFit;
  #shownTime = new AbortController();
  #isFullScreen = false;
  /** @type {HTMLElement|null} what had the focus before */
  #focusBefore = null;

  /**
   * @param {HTMLElement} root which the element is in while it is shown
   * @param {import('../context.js').Context} context
   * @param {Object} presented
   * @param {string} presented.owner of the settings `PRESENTATION`
   * @param {() => import('../commands/command.js').Command[]} presented.commands what the keys do
   * @param {() => void} presented.onFit called when the scale may be another one
   */
  constructor(root, context, { owner, commands, onFit }) {
    this.#root = root;
    this.#context = context;
    this.#size = `${owner}.presenterSize`;
    this.#palette = `${owner}.palette`;
    this.#commands = commands;
    this.#onFit = onFit;
  }

  /** @returns {AbortSignal} aborted by `close` */
  open() {
    this.#shownTime = new AbortController();
    const { signal } = this.#shownTime;
    const { settings } = this.#context;
    document.documentElement.dataset.presenting = 'true';
    this.#focusBefore = focused();
    this.#root.append(this.element); // in the page only while it is shown: a page has one text
    this.element.focus({ preventScroll: true });
    this.fit();
    this.#applyPalette();
    // Before the editor and the lab: keys of a clicker work wherever the focus is.
    addEventListener('keydown', event => this.#onKey(event), { capture: true, signal });
    onTheme(() => this.#applyPalette(), signal);
    onResize(this.element, () => this.fit(), signal);
    settings.on([this.#size], () => this.fit(), signal);
    settings.on([this.#palette], () => this.#applyPalette(), signal);
    return signal;
  }

  close() {
    this.#shownTime.abort();
    if (this.#isFullScreen && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.#isFullScreen = false;
    delete document.documentElement.dataset.presenting;
    this.element.remove();
  }

  /** Gives the focus back to what had it before, if that is shown again. */
  returnFocus() {
    if (this.#focusBefore?.checkVisibility()) this.#focusBefore.focus({ preventScroll: true });
    this.#focusBefore = null;
  }

  /** How much larger than in a window of 1280 by 720 everything is drawn. */
  get scale() {
    return windowScale({ width: innerWidth, height: innerHeight });
  }

  /** How much larger than the scale says the lines are drawn. */
  get size() {
    return this.#context.settings.get(this.#size);
  }

  fit() {
    this.element.style.setProperty('--px', `${this.scale}px`);
    this.#onFit();
  }

  /** @param {-1|1} by @returns {boolean} false: it is the last size */
  resize(by) {
    const size = SIZES[SIZES.indexOf(this.size) + by];
    if (size) this.#context.settings.set({ [this.#size]: size });
    return Boolean(size);
  }

  changePalette() {
    const isDark = this.element.dataset.palette === 'dark';
    this.#context.settings.set({ [this.#palette]: isDark ? 'light' : 'dark' });
  }

  async toggleFullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else {
        await document.documentElement.requestFullscreen();
        this.#isFullScreen = true;
      }
    } catch {
      this.#context.status.announce('This window does not allow full screen.');
    }
  }

  #applyPalette() {
    const palette = this.#context.settings.get(this.#palette);
    this.element.dataset.palette = palette === 'theme' ? document.documentElement.dataset.theme : palette;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || altKey || isModalOpen() || closest(event, FIELDS)) return;
    const isCharacter = key.length === 1 && !ctrlKey && !metaKey && key !== ' ';
    if (isCharacter && !this.#context.settings.get('singleKeys')) return;
    if ((key === ' ' || key === 'Enter') && closest(event, 'button, a, [role=button]')) return;
    if (key.startsWith('Arrow') && closest(event, '[data-choice]')) return; // they move between choices
    const command = commandFor(this.#commands(), event);
    // No other letter does anything: what it changes in the lab would not be seen.
    if (!command && !(isCharacter && key !== '?')) return;
    event.preventDefault();
    event.stopPropagation();
    command?.run();
  }
}
