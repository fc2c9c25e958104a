/**
 * The playlists of the lab: what is changed in the page is saved at once, and is as it was where that fails. Reports
 * `change`.
 */
import { playlists, removePlaylist, savePlaylist } from '../../api/playlists.js';
/** @import {Playlist} from '../../api/schema.d.ts' */

/**
 * @typedef {Playlist & {id: number|null, isChanged: boolean}} Kept `id` null: it comes with the lab, or is not saved
 *   yet; `isChanged`: it is in the place of the one that comes with the lab
 */

const CLIENT = { playlists, removePlaylist, savePlaylist };

export class Playlists extends EventTarget {
  /** @type {Kept[]} */
  list = [];
  #track;
  #showError;
  #client;
  /** One change after the other. @type {Promise<any>} */
  #saving = Promise.resolve();
  /** Changes that wait for another one. */
  #waiting = 0;

  /**
   * @param {import('../../app/context.js').Context} context
   * @param {typeof CLIENT} [client]
   */
  constructor({ activity, status }, client = CLIENT) {
    super();
    this.#track = (/** @type {Promise<any>} */ work) => activity.track(work);
    this.#showError = (/** @type {unknown} */ error) => status.showError(error);
    this.#client = client;
  }

  /** Reads them anew. */
  load() {
    return this.#after(async () => this.#take(await this.#read()));
  }

  /** @param {string} name @returns {Kept|null} */
  named(name) {
    return this.list.find(each => each.name === name) ?? null;
  }

  /** A name that none has yet. @param {string} name */
  free(name) {
    let found = name;
    for (let n = 2; this.named(found); n++) found = `${name} ${n}`;
    return found;
  }

  /**
   * Keeps a playlist, also in the place of what it was.
   * @param {Playlist} playlist @param {string} [former] its name
   * @returns {Promise<boolean>} whether it was saved
   */
  put(playlist, former = playlist.name) {
    const before = this.list;
    const ahead = withPut(before, playlist, former);
    this.#take(ahead);
    let isSaved = false;
    const save = async () => {
      await this.#client.savePlaylist(playlist);
      isSaved = true;
      if (former !== playlist.name) await this.#removeKept(former);
      this.#takeKept(await this.#read());
    };
    const undo = async () => {
      const isRead = await this.#readAgain();
      if (!isRead && !isSaved && this.list === ahead) this.#take(before);
    };
    return this.#after(save, undo).then(() => isSaved);
  }

  /** Takes a playlist out; the one that comes with the lab is as it was. @param {string} name */
  remove(name) {
    return this.#after(async () => {
      const id = this.named(name)?.id;
      if (id != null) await this.#client.removePlaylist(id);
      this.#take(await this.#read());
    });
  }

  #read() {
    return this.#client.playlists(new AbortController().signal);
  }

  /** Takes what was saved under a name out of the lab, which may have given it another id. @param {string} name */
  async #removeKept(name) {
    const id = (await this.#read()).find(each => each.name === name)?.id;
    if (id != null) await this.#client.removePlaylist(id);
  }

  /** @returns {Promise<boolean>} whether what the lab has is shown now, or will be by a change that waits */
  async #readAgain() {
    if (this.#waiting) return true;
    try {
      this.#takeKept(await this.#read());
      return true;
    } catch {
      return false;
    }
  }

  /** Takes what the lab has, in the order of the page, which is ahead of it while changes wait. @param {Kept[]} kept */
  #takeKept(kept) {
    const ahead = this.list.map(each => {
      const { id = null, isChanged = false } = kept.find(({ name }) => name === each.name) ?? {};
      return { ...each, id, isChanged };
    });
    const order = [...this.list, ...kept].map(({ name }) => name);
    this.#take(this.#waiting ? ahead : [...kept].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)));
  }

  /** @param {Kept[]} list */
  #take(list) {
    this.list = list;
    this.dispatchEvent(new CustomEvent('change'));
  }

  /**
   * @param {() => Promise<void>} work @param {() => Promise<void>} [undo] called where it fails
   * @returns {Promise<boolean>} whether it was done
   */
  #after(work, undo = async () => {}) {
    this.#waiting++;
    const begin = () => {
      this.#waiting--;
      return work();
    };
    const done = this.#saving.then(begin).then(
      () => true,
      async error => {
        await undo();
        this.#showError(error);
        return false;
      },
    );
    this.#saving = done;
    this.#track(done);
    return done;
  }
}

/**
 * The list with a playlist, in the place of the one that had its former name.
 * @param {Kept[]} list @param {Playlist} playlist @param {string} former @returns {Kept[]}
 */
function withPut(list, playlist, former) {
  const before = list.find(({ name }) => name === former);
  const put = { ...playlist, id: before?.id ?? null, isChanged: false };
  return before ? list.map(each => (each === before ? put : each)) : [...list, put];
}
