/** A text as the editor had it at one moment, read by parts: for texts too long to be made one string at every key. */
export class TextSlice {
  #doc; #whole = null;

  /** @param {import('../../vendor/codemirror.js').Text} doc which never changes */
  constructor(doc) { this.#doc = doc; }

  get length() { return this.#doc.length; }

  /** As `slice` of a string, for positions within the text. */
  slice(from, to = this.length) { return this.#doc.sliceString(from, to); }

  /** The whole of it, made once. */
  toString() { return this.#whole ??= this.#doc.sliceString(0); }
}
