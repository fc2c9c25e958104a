/** Playlists in Learn: shows the one that is open, adds to them, and opens and saves their files. */
import { checkPlaylist } from '../../api/playlists.js';
import { AskWhileOpen } from '../../app/ask_while_open.js';
import { saveFile } from '../../app/files/files.js';
import { words } from '../../lessons/words/index.js';
import { listen } from '../../ui/dom.js';
import { missing, playlistOf, sameParts } from './playlist.js';
import { PlaylistView } from './playlist_view.js';
import { Playlists } from './playlists.js';
/** @import {Playlist, PlaylistPart} from '../../api/schema.d.ts' */

const MOST_PARTS = 50;

export class Lectures {
  view = new PlaylistView();
  playlists;
  #context;
  #goTo;
  #asking;
  /** The name of the one that is shown. @type {string|null} */
  #shown = null;
  /** The one that was checked last. */
  #checked = '';

  /**
   * @param {import('../../app/context.js').Context} context
   * @param {(name: string|null) => void} goTo shows another one; null: a lesson
   */
  constructor(context, goTo) {
    this.#context = context;
    this.#goTo = goTo;
    this.#asking = new AskWhileOpen(context.activity);
    this.playlists = new Playlists(context);
    this.playlists.addEventListener('change', () => this.#draw());
    this.view.hidden = true;
    listen(this.view, 'edited', playlist => this.#edit(playlist));
    listen(this.view, 'presentpart', at => this.#present(at));
    listen(this.view, 'savefile', () => this.#save());
    listen(this.view, 'takenout', () => {
      const name = this.#shown ?? '';
      this.#goTo(null);
      this.playlists.remove(name);
    });
  }

  /** Reads the playlists anew; the one of the address may not be among them. */
  async load() {
    await this.playlists.load();
    const name = this.#shown;
    if (name === null || !this.names.length || this.playlists.named(name)) return;
    this.#goTo(null);
    this.#context.status.showError(missing(name));
  }

  /** @returns {string[]} */
  get names() {
    return this.playlists.list.map(({ name }) => name);
  }

  /** @param {string|null} name null: none is shown */
  show(name) {
    this.#shown = name;
    this.#draw();
  }

  /** @param {string} name '': a new one @param {PlaylistPart} part */
  add(name, part) {
    const { status } = this.#context;
    const before = this.playlists.named(name);
    if ((before?.parts.length ?? 0) >= MOST_PARTS) return status.showError(new Error(words.playlist.full(name)));
    const { id, ...playlist } = before ?? {
      ...playlistOf(this.playlists.free(words.playlist.firstName), []),
      id: null,
    };
    this.playlists.put({ ...playlist, parts: [...playlist.parts, part] });
    status.progress(words.playlist.added(part.title, playlist.name));
  }

  /** Keeps the playlist of a file and shows it; one of the same name stays. @param {File} file */
  openFile(file) {
    const { activity, status } = this.#context;
    const open = async () => {
      const { playlist } = await checkPlaylist(file, new AbortController().signal);
      const same = this.playlists.named(playlist.name);
      const name = !same || sameParts(same, playlist) ? playlist.name : this.playlists.free(playlist.name);
      if (!same || name !== playlist.name) await this.playlists.put({ ...playlist, name });
      status.clearError();
      this.#goTo(name);
    };
    return activity.track(
      open().catch(({ message }) =>
        status.showError(
          Object.assign(new Error(words.playlist.damaged(file.name, message)), { hint: words.playlist.damagedHint }),
        ),
      ),
    );
  }

  #draw() {
    const playlist = this.playlists.named(this.#shown ?? '');
    this.view.hidden = !playlist;
    if (!playlist) return;
    this.view.show(playlist);
    if (this.#checked === playlist.name) return;
    this.#checked = playlist.name;
    const { id, ...file } = playlist;
    this.#asking.ask({
      ask: signal => checkPlaylist(new Blob([JSON.stringify(file)]), signal),
      show: ({ problems }) => {
        if (this.#shown === playlist.name) this.view.problems = problems;
      },
      showProblem: error => this.#context.status.showError(error),
    });
  }

  /** @param {Playlist & {id?: number|null}} changed */
  #edit({ id, ...changed }) {
    const former = this.#shown ?? '';
    const name = changed.name === former ? former : this.playlists.free(changed.name);
    this.#shown = name;
    this.playlists.put({ ...changed, name }, former);
    if (name !== former) this.#goTo(name);
  }

  /** @param {number} at */
  #present(at) {
    const { router } = this.#context;
    router.go('learn', { present: '1', playlist: this.#shown ?? '', part: String(at + 1) });
  }

  #save() {
    const found = this.playlists.named(this.#shown ?? '');
    if (!found) return;
    const { id, ...file } = found;
    saveFile(`${file.name}.json`, new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' }));
    this.#context.status.announce(words.playlist.saved);
  }
}
