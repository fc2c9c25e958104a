/**
 * Keys that are pressed while the lab is loading. Ctrl+K and what is typed after it go to the palette as soon as there
 * is one; no other key does anything, because what it was meant for is not there yet.
 */
import { keyOf } from './command.js';

export class EarlyKeys {
  #target;
  #text = /** @type {string|null} */ (null);
  #listener = (/** @type {Event} */ event) => this.#take(/** @type {KeyboardEvent} */ (event));

  /** @param {EventTarget} target that gets the keys */
  constructor(target) {
    this.#target = target;
    target.addEventListener('keydown', this.#listener);
  }

  /**
   * The lab takes its keys itself from now on.
   * @returns {string|null} what was typed for the palette; null: nobody asked for it
   */
  end() {
    this.#target.removeEventListener('keydown', this.#listener);
    return this.#text;
  }

  /** @param {KeyboardEvent} event */
  #take(event) {
    const key = keyOf(event);
    if (key === 'Mod+K') this.#text ??= '';
    else if (this.#text === null || event.ctrlKey || event.metaKey || event.altKey) return;
    else if (key === 'Escape') this.#text = null;
    else if (key === 'Backspace') this.#text = this.#text.slice(0, -1);
    else if (event.key.length === 1) this.#text += event.key;
    else return;
    event.preventDefault();
  }
}
