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
    const all = this.list;
    const before = all.find(({ name }) => name === former);
    const changed = { ...playlist, id: before?.id ?? null, isChanged: false };
    const taken = before ? all.map(each => (each === before ? changed : each)) : [...all, changed];
    this.#take(taken);
    let isSaved = false;
    const undo = async () => {
      if (this.#waiting) return; // what comes after it reads them
      try {
        this.#takeKept(await this.#read());
      } catch {
        if (!isSaved && this.list === taken) this.#take(all);
      }
    };
    const done = this.#after(async () => {
      await this.#client.savePlaylist(playlist);
      isSaved = true;
      // Saving gives a new id, and a new name leaves the old one behind.
      const kept = await this.#read();
      const old = former === playlist.name ? null : kept.find(({ name }) => name === former);
      if (old?.id != null) await this.#client.removePlaylist(old.id);
      this.#takeKept(kept.filter(each => each !== old));
    }, undo);
    return done.then(() => isSaved);
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
