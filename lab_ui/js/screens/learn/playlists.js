/** The playlists of the lab: what is changed in the page is saved at once. Reports `change`. */
import { playlists, removePlaylist, savePlaylist } from '../../api/playlists.js';
/** @import {Playlist} from '../../api/schema.d.ts' */

/** @typedef {Playlist & {id: number|null}} Kept `id` null: it comes with the lab, or is not saved yet */

const CLIENT = { playlists, removePlaylist, savePlaylist };

export class Playlists extends EventTarget {
  /** @type {Kept[]} */
  list = [];
  #track;
  #showError;
  #client;
  /** One change after the other. */
  #saving = Promise.resolve();

  /**
   * @param {import('../../app/context.js').Context} context
   * @param {typeof CLIENT} [client]
   */
  constructor({ activity, status }, client = CLIENT) {
    super();
    this.#track = (/** @type {Promise<void>} */ work) => activity.track(work);
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

  /** Keeps a playlist, also in the place of what it was. @param {Playlist} playlist @param {string} [former] */
  put(playlist, former = playlist.name) {
    const before = this.list.find(({ name }) => name === former);
    const changed = { ...playlist, id: before?.id ?? null };
    this.#take(before ? this.list.map(each => (each === before ? changed : each)) : [...this.list, changed]);
    return this.#after(async () => {
      const { id, ...file } = changed;
      await this.#client.savePlaylist(file);
      // Saving gives a new id, and a new name leaves the old one behind.
      const kept = await this.#client.playlists(new AbortController().signal);
      const old = former === playlist.name ? null : kept.find(({ name }) => name === former);
      if (old?.id != null) await this.#client.removePlaylist(old.id);
      this.#take(this.list.map(each => ({ ...each, id: kept.find(({ name }) => name === each.name)?.id ?? null })));
    });
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

  /** @param {() => Promise<void>} work */
  #after(work) {
    this.#saving = this.#track(this.#saving.then(work).catch(this.#showError));
    return this.#saving;
  }
}
