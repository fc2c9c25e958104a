/** Playlists in Learn: shows the one that is open, adds to them, and opens and saves their files. */
import { checkPlaylist } from '../../api/playlists.js';
import { AskWhileOpen } from '../../app/ask_while_open.js';
import { saveFile } from '../../app/files/files.js';
import { words } from '../../lessons/words/index.js';
import { listen } from '../../ui/dom.js';
import { fileOf, missing, playlistOf, sameParts } from './playlist.js';
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
      if (!this.playlists.named(name)?.isChanged) this.#goTo(null); // else it is shown as it was
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
    if ((before?.parts.length ?? 0) >= MOST_PARTS)
      return this.#refuse(words.playlist.full(name, MOST_PARTS), words.playlist.fullHint);
    const playlist = before ? fileOf(before) : playlistOf(this.playlists.free(words.playlist.firstName), []);
    this.playlists.put({ ...playlist, parts: [...playlist.parts, part] }).then(isSaved => {
      if (isSaved) status.progress(words.playlist.added(part.title, playlist.name));
    });
  }

  /** Keeps the playlist of a file and shows it; one of the same name stays. @param {File} file */
  openFile(file) {
    const { activity, status } = this.#context;
    const open = async () => {
      const { playlist } = await checkPlaylist(file, new AbortController().signal);
      const same = this.playlists.named(playlist.name);
      const name = !same || sameParts(same, playlist) ? playlist.name : this.playlists.free(playlist.name);
      const isNew = !same || name !== playlist.name;
      if (isNew && !(await this.playlists.put({ ...playlist, name }))) return;
      status.clearError();
      this.#goTo(name);
    };
    return activity.track(
      open().catch(({ message }) =>
        this.#refuse(words.playlist.damaged(file.name, message), words.playlist.damagedHint),
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
    this.#asking.ask({
      ask: signal => checkPlaylist(new Blob([JSON.stringify(fileOf(playlist))]), signal),
      show: ({ problems }) => {
        if (this.#shown === playlist.name) this.view.problems = problems;
      },
      showProblem: error => this.#context.status.showError(error),
    });
  }

  /** @param {Playlist} changed */
  async #edit(changed) {
    const former = this.#shown ?? '';
    const name = changed.name === former ? former : this.playlists.free(changed.name);
    this.#shown = name;
    const saving = this.playlists.put({ ...fileOf(changed), name }, former);
    if (name !== former) this.#goTo(name);
    if (await saving) return;
    this.view.say(words.playlist.notSaved);
    if (name !== former && this.#shown === name) this.#goTo(former);
  }

  /** @param {string} message @param {string} hint */
  #refuse(message, hint) {
    this.#context.status.showError(Object.assign(new Error(message), { hint }));
  }

  /** @param {number} at */
  #present(at) {
    const { router } = this.#context;
    router.go('learn', { present: '1', playlist: this.#shown ?? '', part: String(at + 1) });
  }

  #save() {
    const found = this.playlists.named(this.#shown ?? '');
    if (!found) return;
    const file = fileOf(found);
    saveFile(`${file.name}.json`, new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' }));
    this.#context.status.announce(words.playlist.saved);
  }
}
