/**
 * Screens have addresses: `#/vocabulary?q=token`. The router says which screen is shown, with which parameters, and
 * keeps the address true: a reload shows the same. What a link says of settings and the text is handed over once and
 * leaves the address as soon as it is no longer what is shown; settings are remembered, the text is kept by
 * `kept_text.js`.
 *
 * Reports `navigate` (detail: `{name, query, isNew}`): another address was opened. `query` is all of it; `isNew` is
 * false where the user went back to an address whose link was taken over before: its settings are of an earlier time.
 */
export class Router extends EventTarget {
  #names;
  #window;
  /** The parameters of each screen that was shown, by name. @type {Map<string, URLSearchParams>} */
  #params = new Map();
  #screen = '';
  #link = '';
  /** The address that was opened last, and the one that was written last. */
  #asked = '';
  #written = '';

  /**
   * @param {string[]} names of the screens that exist; an unknown one in the address means the first
   * @param {Pick<Window, 'location'|'history'|'addEventListener'>} [window]
   */
  constructor(names, window = globalThis.window) {
    super();
    this.#names = names;
    this.#window = window;
  }

  /** Opens what the address says, now and whenever it changes. */
  start() {
    this.#window.addEventListener('hashchange', () => this.#open(!this.#window.history.state?.seen));
    this.#open(true);
  }

  /** The name of the screen that was opened last. */
  get screen() {
    return this.#screen;
  }

  /**
   * Opens a screen.
   * @param {string} name
   * @param {Object<string, string>} [params] its own, what it had before without
   */
  go(name, params) {
    this.#window.location.hash = addressOf(name, params ? new URLSearchParams(params) : null);
  }

  /**
   * Finds the address of a screen in a link of any lab: the host and port before it are those of another machine.
   * @param {string} link
   * @returns {string|null} the address, from `#` on; null: no screen of ours
   */
  addressIn(link) {
    const [address] = /#\/\S*$/.exec(link.trim()) ?? [];
    return address && this.#names.includes(readAddress(address).screen) ? address : null;
  }

  /** Opens an address. @param {string} address from `#` on */
  open(address) {
    this.#window.location.hash = address;
  }

  /**
   * @param {string} name of a screen
   * @returns {URLSearchParams} its own parameters in the address, or when it was shown last
   */
  paramsOf(name) {
    return this.#params.get(name) ?? new URLSearchParams();
  }

  /** @param {string[]} names of screens @returns {string|undefined} the one of them that was opened last */
  latestOf(names) {
    return [...this.#params.keys()].reverse().find(name => names.includes(name));
  }

  /**
   * What was opened is shown: the address says it from now on.
   * @param {string} name
   * @param {URLSearchParams} params the screen's own
   * @param {URLSearchParams} link settings and text
   *   that the address brought
   */
  settle(name, params, link) {
    this.#screen = name;
    this.#params.delete(name); // and comes last
    this.#params.set(name, params);
    this.#link = link.toString();
    if (this.#isAt(this.#asked, this.#written)) this.#write();
  }

  /** The shown screen has other parameters now. @param {string} name of the screen @param {URLSearchParams} params */
  replace(name, params) {
    this.#params.set(name, params);
    if (name === this.#screen) this.#update();
  }

  /** What was opened cannot be shown: the address says again what is. */
  stay() {
    if (this.#screen && this.#isAt(this.#asked, this.#written)) this.#write();
  }

  /** The settings or the text are no longer those of the link in the address. */
  forgetLink() {
    if (!this.#link) return;
    this.#link = '';
    this.#update();
  }

  /**
   * Whether the address is one of these. Otherwise another one was chosen, whose `hashchange` is still to come.
   * @param {...string} addresses
   */
  #isAt(...addresses) {
    return addresses.includes(this.#window.location.hash);
  }

  /** Writes the address of the shown screen if it changed and nothing else was opened: a job calls this often. */
  #update() {
    if (this.#isAt(this.#written) && this.#address !== this.#written) this.#write();
  }

  /** The address of the shown screen. */
  get #address() {
    const query = new URLSearchParams([...new URLSearchParams(this.#link), ...this.paramsOf(this.#screen)]);
    return addressOf(this.#screen, query);
  }

  #write() {
    this.#window.history.replaceState({ seen: true }, '', this.#address);
    this.#written = this.#window.location.hash;
  }

  /** @param {boolean} isNew */
  #open(isNew) {
    this.#asked = this.#window.location.hash;
    const { screen, query } = readAddress(this.#asked);
    const name = this.#names.includes(screen) ? screen : this.#names[0];
    this.dispatchEvent(new CustomEvent('navigate', { detail: { name, query, isNew } }));
  }
}

/** @param {string} name of a screen @param {URLSearchParams|null} query @returns {string} the address, from `#` on */
export function addressOf(name, query) {
  const search = query?.toString() ?? '';
  return `#/${name}${search ? `?${search}` : ''}`;
}

/** @param {string} hash of an address @returns {{screen: string, query: URLSearchParams}} */
export function readAddress(hash) {
  const [screen, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { screen, query: new URLSearchParams(search) };
}
