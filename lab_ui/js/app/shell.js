/**
 * Shows one screen at a time: loads it when it is first opened, keeps the last few, destroys the others. What is shown
 * follows the address. Reports `shown` when another screen is shown.
 */
import { all, focused, h } from '../ui/dom.js';
import { callEach } from '../util/call_each.js';
import { readLink } from './state/links.js';
import { readAddress } from './state/router.js';

/** Screens that are kept while another one is shown: going back and forth loses nothing of how they look. */
const MOST_KEPT = 2;
const TITLE = 'Tokenization Laboratory';

/**
 * @typedef {{name: string, label: string, icon: string, isPresentable?: boolean, hasDigit?: boolean, load: () =>
 *   Promise<{default: typeof import('./screen.js').Screen}>}} ScreenEntry a line of `screens.js`; `hasDigit`: whether a
 *   digit opens it, by default
 * @typedef {{name: string, screen: import('./screen.js').Screen, root: HTMLElement}} Opened
 */
export class Shell extends EventTarget {
  #entries;
  #frame;
  #contextOf;
  #context;
  #status;
  #acceptLink;
  /** Opened screens, the one that was shown last at the end. @type {Map<string, Opened>} */
  #opened = new Map();
  /** @type {Opened|null} */
  #shown = null;
  #activation = new AbortController();
  #navigation = 0;

  /**
   * @param {ScreenEntry[]} entries
   * @param {import('./frame/app_frame.js').AppFrame} frame
   * @param {(screen: string) => import('./context.js').Context} contextOf
   * @param {import('./state/status.js').Status} status
   * @param {(values: Object<string, any>, text: string|null) => void} acceptLink takes what an address says of settings
   *   and text
   */
  constructor(entries, frame, contextOf, status, acceptLink) {
    super();
    this.#entries = entries;
    this.#frame = frame;
    this.#contextOf = contextOf;
    this.#context = contextOf(entries[0].name);
    this.#status = status;
    this.#acceptLink = acceptLink;
  }

  /** The screen that is shown. @returns {import('./screen.js').Screen|null} */
  get screen() {
    return this.#shown?.screen ?? null;
  }
  /** Its entry, the first before any is shown. */
  get entry() {
    return this.#entries.find(({ name }) => name === this.#shown?.name) ?? this.#entries[0];
  }

  /** Begins to load the screen of the address, beside what else the lab needs to start. */
  preload() {
    const name = readAddress(location.hash).screen;
    const { load } = this.#entries.find(entry => entry.name === name) ?? this.#entries[0];
    load().catch(() => {}); // it is asked for again when it is opened, and then the failure is shown
  }

  /** Shows what the address says, now and from now on. */
  start() {
    const { router, activity } = this.#context;
    router.addEventListener('navigate', event =>
      activity.track(this.#navigate(/** @type {CustomEvent} */ (event).detail)),
    );
    router.start();
  }

  /** @param {{name: string, query: URLSearchParams, isNew: boolean}} address */
  async #navigate({ name, query, isNew }) {
    const navigation = ++this.#navigation;
    const { settings, router } = this.#context;
    const entry = this.#entries.find(one => one.name === name) ?? this.#entries[0];
    let opened;
    try {
      const { default: Screen } = await entry.load();
      if (navigation !== this.#navigation) return; // another one was opened meanwhile
      settings.define(name, Screen.settings);
      opened = this.#opened.get(name) ?? this.#open(name, Screen);
    } catch (error) {
      if (navigation === this.#navigation) this.#fail(entry, error);
      return;
    }
    const { values, text, link, params } = readLink(settings, name, query);
    if (isNew) this.#acceptLink(values, text);
    const asked = params.size ? params : router.paramsOf(name);
    router.settle(name, asked, isNew ? link : new URLSearchParams());
    if (opened !== this.#shown) this.#show(opened, entry);
    else if (params.size) this.#activate(opened);
  }

  /** @param {string} name @param {typeof import('./screen.js').Screen} Screen */
  #open(name, Screen) {
    const root = h('div', { class: 'screen', 'data-screen': name });
    const screen = new Screen();
    try {
      screen.mount(root, this.#contextOf(name));
    } catch (error) {
      callEach([screen], half => half.destroy());
      throw error;
    }
    return { name, screen, root };
  }

  /** @param {Opened} opened @param {ScreenEntry} entry */
  #show(opened, { name, label }) {
    const isFirst = !this.#shown;
    const focus = focused();
    const isFocusFree = !focus || focus === document.body || Boolean(focus.closest('.work, .rail'));
    this.#leave();
    this.#shown = opened;
    this.#opened.delete(name); // and comes last
    this.#opened.set(name, opened);
    this.#frame.screen = name;
    this.#frame.skipTo = opened.screen.focusName;
    document.title = `${label} · ${TITLE}`;
    this.#status.show(name);
    // Only the screen that is shown is in the page: what it holds exists once, and costs nothing while it is away.
    this.#frame.work.replaceChildren(opened.root);
    this.#giveHeading(opened.root, label);
    this.#activate(opened);
    this.dispatchEvent(new CustomEvent('shown'));
    if (!isFirst) this.#arrive(opened.root, label, isFocusFree);
    else if (isFocusFree && opened.screen.showsText) opened.screen.focusText(); // typing works at once
    this.#destroyOld();
  }

  #leave() {
    this.#activation.abort();
    if (!this.#shown) return;
    // A dialog that is taken out of the page stays open, but is modal no more when it comes back.
    for (const dialog of all(this.#shown.root, 'dialog[open]')) /** @type {HTMLDialogElement} */ (dialog).close();
    this.#shown.screen.deactivate();
  }

  /** @param {Opened} opened the screen that is shown; one that is active begins anew, with other parameters */
  #activate({ name, screen }) {
    const { router, activity } = this.#context;
    if (!this.#activation.signal.aborted) this.#leave();
    this.#activation = new AbortController();
    const { signal } = this.#activation;
    const work = async () => screen.activate(router.paramsOf(name), signal);
    activity.track(
      work().catch(error => {
        if (!signal.aborted) this.#contextOf(name).status.showError(error);
      }),
    );
  }

  /**
   * Every screen has one heading of the first level.
   * @param {HTMLElement} root @param {string} label
   */
  #giveHeading(root, label) {
    const heading = root.querySelector('h1') ?? h('h1', { class: 'visually-hidden' }, label);
    if (!root.contains(heading)) root.prepend(heading);
    heading.tabIndex = -1;
  }

  /**
   * The focus goes along if what had it is gone, which is read aloud; otherwise the screen is announced.
   * @param {HTMLElement} root @param {string} label @param {boolean} isFocusFree
   */
  #arrive(root, label, isFocusFree) {
    if (isFocusFree && !root.contains(focused())) root.querySelector('h1')?.focus({ preventScroll: true });
    else this.#status.announce(label);
  }

  #destroyOld() {
    const hidden = [...this.#opened.values()].filter(one => one !== this.#shown && !one.screen.holdsInput);
    for (const { name, screen, root } of hidden.slice(0, Math.max(0, hidden.length - MOST_KEPT))) {
      this.#opened.delete(name);
      screen.destroy();
      root.replaceChildren();
    }
  }

  /**
   * The screen before stays, and so does its address: the link to the one that failed opens it again.
   * @param {ScreenEntry} entry @param {unknown} error
   */
  #fail({ label }, error) {
    console.error(error);
    this.#context.router.stay();
    this.#status.shown.showError(
      Object.assign(new Error(`${label} could not be opened: ${error instanceof Error ? error.message : error}`), {
        hint: 'Reload the page; if it stays, start the lab again.',
      }),
    );
  }
}
