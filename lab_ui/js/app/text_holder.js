/** The text of the lab and where it came from. Reports `replace` when it was set, and `edit` when it was edited. */
export class TextHolder extends EventTarget {
  #text = '';
  #read = null;
  /** @type {{name: string|null, encoding: string}} where the text came from */
  source = { name: null, encoding: 'UTF-8' };
  /** Grows with every change of the text. */
  version = 0;

  /** @type {string} */
  get text() {
    if (this.#read) {
      this.#text = this.#read();
      this.#read = null;
    }
    return this.#text;
  }

  /**
   * Takes over a text that nobody typed.
   * @param {string} text
   * @param {{name: string|null, encoding: string}} [source]
   */
  setText(text, source = { name: null, encoding: 'UTF-8' }) {
    this.#text = text;
    this.#read = null;
    this.source = source;
    this.version++;
    this.dispatchEvent(new CustomEvent('replace'));
  }

  /**
   * The text was edited in an editor. A megabyte is not read for every key.
   * @param {() => string} read returns it when it is wanted
   */
  edited(read) {
    this.#read = read;
    this.version++;
    this.dispatchEvent(new CustomEvent('edit'));
  }
}
