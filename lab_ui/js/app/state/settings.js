/**
 * Settings: every switch and choice of the lab, declared once by the part that owns it, with a default, the values it
 * allows and its name in the address. What is remembered, what a link says and what a reset does follow from that.
 * Knows nothing of the page.
 */
import { callEach } from '../../util/call_each.js';
import { isSame } from '../../util/seen.js';
import { hasHalfCharacter } from '../../util/utf8.js';

/** The longest text of a link, in UTF-16 code units. */
export const LONGEST_TEXT = 2000;
/** The longest text of a setting that a session takes. */
const LONGEST_OF_SESSION = 8000;

/** @typedef {import('./setting_types.js').Setting} Setting @typedef {import('./setting_types.js').Shared} Shared */

export class Settings {
  /** @type {Map<string, Setting & {owner: string}>} */
  #schema = new Map();
  #values = new Map();
  /** Values of settings that nobody has declared yet: those of screens that were not opened. */
  #waiting = new Map();
  /** The same of a session that was opened. They are not remembered: they are somebody else's words. */
  #viewWaiting = new Map();
  /** @type {Set<{names: Set<string>|null, listener: (changed: Set<string>) => void}>} */
  #listeners = new Set();

  /**
   * Declares settings, once. A value that was accepted before counts from now on. No listener is called: nobody can
   * have known the settings.
   * @param {string} owner name of a screen, whose settings are called `owner.name`; '' for settings that all share
   * @param {Object<string, Setting>} schema
   */
  define(owner, schema) {
    for (const [key, setting] of Object.entries(schema)) {
      const name = owner ? `${owner}.${key}` : key;
      if (this.#schema.has(name)) continue;
      this.#schema.set(name, { ...setting, owner });
      const accepted = [setting.url && this.#viewWaiting.get(name), this.#waiting.get(name)];
      this.#waiting.delete(name);
      this.#viewWaiting.delete(name);
      this.#values.set(name, accepted.find(value => isAllowed(setting, value)) ?? setting.default);
    }
    this.#values = new Map([...this.#values, ...this.#settled({})]);
  }

  /**
   * @template {string} Name
   * @param {Name} name
   * @returns {Name extends keyof Shared ? Shared[Name] : any} of a screen's own settings the screen knows the type
   */
  get(name) {
    if (!this.#schema.has(name)) throw new Error(`There is no setting ${name}.`);
    return this.#values.get(name);
  }

  /**
   * Changes settings together: listeners are called once, each of them even if another one throws.
   * @param {Object<string, any>} patch new values by name
   * @throws {Error} where a name is unknown or a value is not allowed
   */
  set(patch) {
    for (const [name, value] of Object.entries(patch)) {
      const setting = this.#schema.get(name);
      if (!setting) throw new Error(`There is no setting ${name}.`);
      if (!isAllowed(setting, value))
        throw new Error(`${JSON.stringify(value)} is not a value of the setting ${name}.`);
    }
    const whole = this.#settled(patch);
    const changed = new Set([...whole.keys()].filter(name => !isSame(whole.get(name), this.#values.get(name))));
    if (!changed.size) return;
    for (const name of changed) this.#values.set(name, whole.get(name));
    const concerned = [...this.#listeners].filter(({ names }) => !names || [...changed].some(name => names.has(name)));
    callEach(concerned, ({ listener }) => listener(changed));
  }

  /** @returns {string[]} the settings that are declared */
  get names() {
    return [...this.#schema.keys()];
  }

  /** Sets settings to their defaults. @param {string[]} names */
  reset(names) {
    this.set(Object.fromEntries(names.map(name => [name, this.#schema.get(name)?.default])));
  }

  /** Sets all to their defaults but those that are work. */
  resetAll() {
    this.reset(this.names.filter(name => !this.#schema.get(name)?.isWork));
  }

  /**
   * Takes values from outside. Wrong ones are left out; unknown ones wait for their owner.
   * @param {Object<string, any>} values
   */
  accept(values) {
    /** @type {Object<string, any>} */
    const patch = {};
    for (const [name, value] of Object.entries(values)) {
      const setting = this.#schema.get(name);
      if (!setting) this.#waiting.set(name, value);
      else if (isAllowed(setting, value)) patch[name] = value;
    }
    this.set(patch);
  }

  /**
   * Takes what a session says of the view: no personal setting, and for good no name that nobody declares.
   * @param {Object<string, any>} values
   */
  acceptView(values) {
    /** @type {Object<string, any>} */
    const patch = {};
    for (const [name, value] of Object.entries(values)) {
      const setting = this.#schema.get(name);
      if (!setting) this.#viewWaiting.set(name, value);
      else if (setting.url && isAllowed(setting, value)) patch[name] = value;
    }
    this.set(patch);
  }

  /** @returns {Object<string, any>} the values that say what is shown, for a session. The others are personal. */
  get view() {
    const said = [...this.#values].filter(([name, value]) => {
      const setting = this.#schema.get(name);
      return setting?.url && !isLeftOut(setting, value, LONGEST_OF_SESSION);
    });
    return Object.fromEntries(said);
  }

  /**
   * Calls `listener` after each change of one of the settings.
   * @param {string[]|null} names null: of any
   * @param {(changed: Set<string>) => void} listener gets the names that changed
   * @param {AbortSignal} [signal] ends it
   */
  on(names, listener, signal) {
    if (signal?.aborted) return;
    const entry = { names: names && new Set(names), listener };
    this.#listeners.add(entry);
    signal?.addEventListener('abort', () => this.#listeners.delete(entry), { once: true });
  }

  /**
   * What a link to a screen says: its settings and the shared ones that are not at their defaults.
   * @param {string} screen @returns {URLSearchParams}
   */
  toQuery(screen) {
    const query = new URLSearchParams();
    for (const [name, setting] of this.#linked(screen)) {
      const value = this.#values.get(name);
      if (isSame(value, this.#usual(setting)) || value === null || isLeftOut(setting, value, LONGEST_TEXT)) continue;
      for (const item of Array.isArray(value) ? value : [value])
        query.append(setting.url, typeof item === 'boolean' ? String(Number(item)) : String(item));
    }
    return query;
  }

  /** Whether a link to a screen lacks a text that is too long for it. @param {string} screen */
  leavesOut(screen) {
    return this.#linked(screen).some(
      ([name, { isText }]) => isText && String(this.#values.get(name)).length > LONGEST_TEXT,
    );
  }

  /**
   * The inverse of `toQuery`.
   * @param {string} screen @param {URLSearchParams} query
   * @returns {Object<string, any>} values by name, those that the query has; wrong ones are left out
   */
  fromQuery(screen, query) {
    /** @type {Object<string, any>} */
    const values = {};
    for (const [name, setting] of this.#linked(screen)) {
      if (!query.has(setting.url)) continue;
      const value = parsed(setting, query.getAll(setting.url));
      if (isAllowed(setting, value)) values[name] = value;
    }
    return values;
  }

  /** The defaults of all that a link to a screen can say. @param {string} screen @returns {Object<string, any>} */
  usual(screen) {
    const others = this.#linked(screen).filter(([, { isText }]) => !isText);
    return Object.fromEntries(others.map(([name, setting]) => [name, setting.default]));
  }

  /** @param {string} screen @returns {string[]} the names in the address of what a link to a screen can say */
  urlNames(screen) {
    return this.#linked(screen).map(([, { url }]) => url);
  }

  /** @param {string} screen @returns {[string, Setting & {url: string}][]} */
  #linked(screen) {
    const found = [...this.#schema].filter(([, { url, owner }]) => url && ['', screen].includes(owner));
    return /** @type {[string, Setting & {url: string}][]} */ (found);
  }

  /** @param {Setting} setting */
  #usual(setting) {
    return setting.settle ? setting.settle(setting.default, name => this.get(name)) : setting.default;
  }

  /** The patch, and what follows from it for other settings. @param {Object<string, any>} patch */
  #settled(patch) {
    const whole = new Map(Object.entries(patch));
    /** @param {string} name */
    const get = name => (whole.has(name) ? whole.get(name) : this.#values.get(name));
    for (const [name, { settle }] of this.#schema) if (settle) whole.set(name, settle(get(name), get));
    return whole;
  }
}

/** @param {Setting} setting @param {any} value */
function isAllowed(setting, value) {
  const { default: usual, oneOf, allows } = setting;
  const isOfType = Array.isArray(usual)
    ? Array.isArray(value) && value.every(item => typeof item === 'string')
    : usual === null
      ? value === null || typeof value === 'string'
      : typeof value === typeof usual && value !== null && !Array.isArray(value);
  return isOfType && (!oneOf || oneOf.includes(value)) && (!allows || allows(value));
}

/** @param {Setting} setting @param {string[]} values of the address @returns {any} undefined if they are invalid */
function parsed({ default: usual, most = Number.POSITIVE_INFINITY }, values) {
  if (Array.isArray(usual)) return [...new Set(values)].slice(0, most);
  if (typeof usual === 'boolean') return { 0: false, 1: true }[values[0]];
  return typeof usual === 'number' ? Number(values[0]) : values[0];
}

/**
 * Whether a text of the user's stays out of links or sessions.
 * @param {Setting} setting @param {any} value @param {number} longest
 */
const isLeftOut = ({ isText, default: usual }, value, longest) =>
  isText && (value === usual || value.length > longest || hasHalfCharacter(value));
