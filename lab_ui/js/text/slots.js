/**
 * Letter, hue and shape of a tokenizer, the same on every screen: places A to H, of which each tokenizer keeps one.
 * A tokenizer that comes back gets its old place if nobody took it meanwhile.
 */
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

export class Slots {
  #places = new Map();
  #remembered = new Map();

  /** @param {Object<string, string>} [remembered] letter by tokenizer id, from an earlier time */
  constructor(remembered = {}) {
    for (const [id, letter] of Object.entries(remembered))
      if (LETTERS.includes(letter)) this.#remembered.set(id, letter);
  }

  /** @returns {string|null} the letter, taken now if the tokenizer had none; null when all are taken */
  take(id) {
    if (this.#places.has(id)) return this.#places.get(id);
    const taken = new Set(this.#places.values());
    const old = this.#remembered.get(id);
    const letter = old && !taken.has(old) ? old : LETTERS.find(free => !taken.has(free));
    if (!letter) return null;
    this.#places.set(id, letter);
    this.#remembered.set(id, letter);
    return letter;
  }

  letter(id) {
    return this.#places.get(id) ?? null;
  }

  release(id) {
    this.#places.delete(id);
  }

  /** Gives the places of all others back, and each of these one. @param {string[]} ids */
  keep(ids) {
    for (const id of this.#places.keys()) if (!ids.includes(id)) this.release(id);
    for (const id of ids) this.take(id);
  }

  /** What to remember: letter by id, for tokenizers in use and for those used before. */
  get memory() {
    return Object.fromEntries(this.#remembered);
  }
}
