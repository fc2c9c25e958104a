/**
 * Assigns a letter from A to H to each tokenizer. Letter, hue and shape are the same on every screen. A tokenizer that
 * comes back gets its old letter if it is free.
 */
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

export class Slots {
  /** @type {Map<string, string>} letter by id of those in use */
  #letters = new Map();
  /** @type {Map<string, string>} */
  #remembered = new Map();

  /** @param {Object<string, string>} [remembered] letter by tokenizer id, from an earlier time */
  constructor(remembered = {}) {
    for (const [id, letter] of Object.entries(remembered))
      if (LETTERS.includes(letter)) this.#remembered.set(id, letter);
  }

  /** @param {string} id @returns {string|null} its letter, assigned now if it had none; null if all are taken */
  take(id) {
    const own = this.#letters.get(id);
    if (own) return own;
    const taken = new Set(this.#letters.values());
    const old = this.#remembered.get(id);
    const letter = old && !taken.has(old) ? old : LETTERS.find(free => !taken.has(free));
    if (!letter) return null;
    this.#letters.set(id, letter);
    this.#remembered.set(id, letter);
    return letter;
  }

  /** @param {string} id @returns {string|null} */
  letter(id) {
    return this.#letters.get(id) ?? null;
  }

  /** @param {string} id */
  release(id) {
    this.#letters.delete(id);
  }

  /** Releases all others, and assigns a letter to each of these. @param {string[]} ids */
  keep(ids) {
    for (const id of this.#letters.keys()) if (!ids.includes(id)) this.release(id);
    for (const id of ids) this.take(id);
  }

  /** Letter by id, of tokenizers in use and of those used before: to be remembered. */
  get memory() {
    return Object.fromEntries(this.#remembered);
  }
}
