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
    return this.#after(async () => this.#take(await this.#client.playlists(new AbortController().signal)));
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
    // A later change has this one in it, and saves both.
    const undo = () => this.list === taken && this.#take(all);
    return this.#after(async () => {
      await this.#client.savePlaylist(playlist);
      // Saving gives a new id, and a new name leaves the old one behind.
      const kept = await this.#client.playlists(new AbortController().signal);
      const old = former === playlist.name ? null : kept.find(({ name }) => name === former);
      if (old?.id != null) await this.#client.removePlaylist(old.id);
      this.#take(
        this.list.map(each => {
          const { id = null, isChanged = false } = kept.find(({ name }) => name === each.name) ?? {};
          return { ...each, id, isChanged };
        }),
      );
    }, undo);
  }

  /** Takes a playlist out; the one that comes with the lab is as it was. @param {string} name */
  remove(name) {
    return this.#after(async () => {
      const id = this.named(name)?.id;
      if (id != null) await this.#client.removePlaylist(id);
      this.#take(await this.#client.playlists(new AbortController().signal));
    });
  }

  /** @param {Kept[]} list */
  #take(list) {
    this.list = list;
    this.dispatchEvent(new CustomEvent('change'));
  }

  /**
   * @param {() => Promise<void>} work @param {() => void} [undo] called where it fails
   * @returns {Promise<boolean>} whether it was done
   */
  #after(work, undo = () => {}) {
    const done = this.#saving.then(work).then(
      () => true,
      error => {
        undo();
        this.#showError(error);
        return false;
      },
    );
    this.#saving = done;
    this.#track(done);
    return done;
  }
}
