/**
 * A playlist: its name, its parts in their order with minutes and notes, what this lab cannot show of it. Gets `show`
 * and `problems`; reports `presentpart` (detail: the place), `edited` (detail: the playlist), `savefile` and
 * `takenout`.
 */
import { words } from '../../lessons/words/index.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, drawnOnce, h, listen, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { OrderedList } from '../../ui/ordered_list.js';
import { minutesOf, sameParts, summaryOf } from './playlist.js';
/** @import {CheckedPlaylist, Playlist, PlaylistPart} from '../../api/schema.d.ts' */

const MOST_MINUTES = 600;

export class PlaylistView extends LabElement {
  /** @type {Playlist|null} */
  #playlist = null;
  #name = h('input', {
    type: 'text',
    class: 'playlist-name',
    maxLength: 200,
    'aria-label': words.playlist.name,
    onchange: () => this.#edit({ name: this.#name.value.trim() || (this.#playlist?.name ?? '') }),
  });
  #minutes = h('span', { class: 'dim number' });
  #remove = confirmButton({
    label: words.playlist.remove,
    name: words.playlist.label,
    handler: () => this.emit('takenout'),
  });
  /** The same for the one that comes with the lab, which is then as it was. */
  #restore = confirmButton({
    label: words.playlist.restore,
    name: words.playlist.label,
    handler: () => this.emit('takenout'),
  });
  #problems = h('ul', { class: 'playlist-problems' });
  #message = h('p', { class: 'dim', role: 'status' });
  #list = new OrderedList();

  render() {
    this.role = 'region';
    this.ariaLabel = words.playlist.label;
    this.append(
      h(
        'div',
        { class: 'playlist-head' },
        this.#name,
        this.#minutes,
        h('span', { class: 'grow' }),
        actionButton(words.playlist.present, () => this.emit('presentpart', 0), { class: 'button primary' }),
        actionButton(words.playlist.save, () => this.emit('savefile')),
        this.#remove,
        this.#restore,
      ),
      this.#message,
      this.#problems,
      this.#list,
    );
    listen(this.#list, 'entry', at => this.emit('presentpart', at));
    listen(this.#list, 'moved', ({ from, to }) => {
      const parts = this.#parts;
      this.#edit({ parts: parts.toSpliced(from, 1).toSpliced(to, 0, parts[from]) });
    });
    listen(this.#list, 'takenout', at => {
      const isLast = this.#parts.length === 1;
      setText(this.#message, isLast ? words.playlist.lastPart : words.playlist.removed(this.#parts[at].title));
      if (!isLast) this.#edit({ parts: this.#parts.toSpliced(at, 1) });
    });
  }

  /** @param {Playlist & {id: number|null, isChanged: boolean}} playlist */
  show(playlist) {
    const isSame = this.#playlist?.name === playlist.name;
    // The fields show what was typed. Drawing them again would take the focus from the next one.
    const isDrawn = this.#playlist !== null && sameParts(this.#playlist, playlist);
    this.#playlist = playlist;
    this.#name.value = playlist.name;
    this.#remove.hidden = playlist.id === null || playlist.isChanged;
    this.#restore.hidden = !playlist.isChanged;
    if (!isSame) {
      setText(this.#message, '');
      this.problems = [];
    }
    if (!isDrawn) this.#draw();
  }

  /** What this lab cannot show. @param {CheckedPlaylist['problems']} problems */
  set problems(problems) {
    drawnOnce(this.#problems, problems, () =>
      problems.map(({ part, message, hint }) => h('li', {}, words.playlist.problem(part + 1, message, hint))),
    );
  }

  /** @param {string} message about what was done last */
  say(message) {
    setText(this.#message, message);
  }

  focusWork() {
    this.#list.querySelector('button')?.focus();
  }

  get #parts() {
    return this.#playlist?.parts ?? [];
  }

  #draw() {
    const entries = this.#parts.map((part, at) => ({ ...this.#labelOf(at), fields: [this.#fieldsOf(part, at)] }));
    this.#list.show(entries);
    this.#drawMinutes();
  }

  #drawMinutes() {
    const times = minutesOf(this.#parts);
    setText(this.#minutes, words.lecture.minutes(0, times[times.length - 1]));
  }

  /** @param {number} at */
  #labelOf(at) {
    const times = minutesOf(this.#parts);
    const part = this.#parts[at];
    return { name: part.title, note: `${words.lecture.minutes(times[at], times[at + 1])} · ${summaryOf(part)}` };
  }

  /** @param {PlaylistPart} part @param {number} at */
  #fieldsOf(part, at) {
    /** @param {'title'|'note'|'minutes'} name @param {Object} more */
    const input = (name, more) => {
      const field = h('input', {
        type: 'text',
        'data-act': name,
        'aria-label': words.playlist.field(words.playlist.fields[name], at + 1),
        placeholder: words.playlist.fields[name],
        value: String(part[name]),
        onchange: () => this.#onField(at, name, field),
        ...more,
      });
      return field;
    };
    return h(
      'div',
      { class: 'playlist-fields' },
      input('title', { maxLength: 200 }),
      input('minutes', { type: 'number', min: '1', max: String(MOST_MINUTES) }),
      input('note', { maxLength: 2000 }),
    );
  }

  /** What was typed is kept; what cannot be is as it was. @param {number} at @param {'title'|'note'|'minutes'} name
   * @param {HTMLInputElement} field */
  #onField(at, name, field) {
    const part = this.#parts[at];
    const minutes = Math.round(Number(field.value));
    const isFine = name === 'minutes' ? minutes >= 1 && minutes <= MOST_MINUTES : name === 'note' || field.value.trim();
    if (!isFine) {
      field.value = String(part[name]);
      setText(this.#message, name === 'minutes' ? words.playlist.badMinutes : words.playlist.noTitle);
      return;
    }
    const changed = { ...part, [name]: name === 'minutes' ? minutes : field.value };
    const playlist = /** @type {Playlist} */ (this.#playlist);
    this.#playlist = { ...playlist, parts: playlist.parts.with(at, changed) };
    this.#parts.forEach((_, n) => this.#list.label(n, this.#labelOf(n)));
    this.#drawMinutes();
    setText(this.#message, '');
    this.emit('edited', this.#playlist);
  }

  /** @param {Partial<Playlist>} patch */
  #edit(patch) {
    this.emit('edited', { .../** @type {Playlist} */ (this.#playlist), ...patch });
  }
}

customElements.define('playlist-view', PlaylistView);
