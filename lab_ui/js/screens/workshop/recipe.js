/** The edits of a recipe and what was done to them: a list that can be undone, without DOM. */

/** @typedef {import('../../api/edits.js').Edit} Edit */

const MOST_UNDONE = 100;

export class Recipe {
  /** @type {Edit[]} */
  edits = [];
  /** @type {Edit[][]} */
  #before = [];
  /** @type {Edit[][]} */
  #after = [];

  get canUndo() {
    return this.#before.length > 0;
  }
  get canRedo() {
    return this.#after.length > 0;
  }

  /** @param {Edit[]} edits in the place of those there are */
  replace(edits) {
    this.#before = [...this.#before, this.edits].slice(-MOST_UNDONE);
    this.#after = [];
    this.edits = edits;
  }

  /** @param {number} at of the edit that is replaced, or after all @param {Edit} edit */
  put(at, edit) {
    this.replace(this.edits.toSpliced(at, 1, edit));
  }

  /** Whether an edit closes holes, so that IDs move. */
  get movesIds() {
    return this.edits.some(({ kind, on, keep_ids: keep }) => on !== false && (kind === 'renumber' || keep === false));
  }

  /** Lets no edit close holes. */
  keepIds() {
    this.replace(
      this.edits.map(({ keep_ids: keep, ...edit }) => ({
        ...edit,
        ...(edit.kind === 'renumber' ? { on: false } : keep === true ? { keep_ids: true } : {}),
      })),
    );
  }

  /** The place of the last edit that trims; negative: none. */
  get trims() {
    return this.edits.findLastIndex(({ kind, on }) => kind === 'trim' && on !== false);
  }

  /** Whether the last edit that trims can keep tokens: those that an earlier edit removed are not there for it. */
  get canKeepTokens() {
    const removes = ['remove', 'shrink'];
    return (
      this.trims >= 0 && !this.edits.slice(0, this.trims).some(({ kind, on }) => removes.includes(kind) && on !== false)
    );
  }

  /** Lets the last edit that trims keep tokens. @param {string[]} tokens as the vocabulary spells them */
  keepTokens(tokens) {
    const edit = this.edits[this.trims];
    this.put(this.trims, { ...edit, keep: [...new Set([...(edit.keep ?? []), ...tokens])] });
  }

  /** @param {number} at @param {boolean} on */
  turn(at, on) {
    const { on: _, ...edit } = this.edits[at];
    this.put(at, on ? edit : { ...edit, on });
  }

  /** @param {number} from @param {number} to */
  move(from, to) {
    this.replace(this.edits.toSpliced(from, 1).toSpliced(to, 0, this.edits[from]));
  }

  /** @param {number} at */
  remove(at) {
    this.replace(this.edits.toSpliced(at, 1));
  }

  undo() {
    this.#step(this.#before, this.#after);
  }

  redo() {
    this.#step(this.#after, this.#before);
  }

  /** @param {Edit[][]} from @param {Edit[][]} to */
  #step(from, to) {
    const edits = from.pop();
    if (!edits) return;
    to.push(this.edits);
    this.edits = edits;
  }
}
