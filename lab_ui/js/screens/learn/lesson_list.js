/**
 * The list of lessons with how far each is done, and of playlists. Gets `show`; reports `openlesson` and `openplaylist`
 * (detail: the name) and `playlistfile` (detail: the file).
 */
import { LabElement } from '../../ui/element.js';
import { closest, h, setText, update } from '../../ui/dom.js';
import { svg } from '../../ui/svg.js';
import { words } from '../../lessons/words/index.js';
import { entries } from './learn_state.js';

/** @typedef {Object<string, [number, number]>} Progress steps that were right and that were asked, by lesson */

export class LessonList extends LabElement {
  #groups = h('div', {});
  #playlists = h('div', {});
  #file = h('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    'data-role': 'playlist-file',
    onchange: () => {
      const file = this.#file.files?.[0];
      this.#file.value = ''; // the same file may be chosen again
      if (file) this.emit('playlistfile', file);
    },
  });
  /** The entry that was shown last. */
  #current = '';

  render() {
    this.role = 'navigation';
    this.ariaLabel = 'Lessons';
    this.append(h('h1', {}, 'Learn'), this.#groups);
    this.addEventListener('click', event => {
      const name = closest(event, '[data-lesson]')?.dataset.lesson;
      if (name) this.emit('openlesson', name);
      const playlist = closest(event, '[data-playlist]')?.dataset.playlist;
      if (playlist !== undefined) this.emit('openplaylist', playlist);
    });
    const groups = [...new Set(entries().map(({ group }) => group))];
    this.#groups.append(
      ...groups.map(group =>
        h(
          'section',
          { 'aria-label': words.groups[group] },
          h('h2', {}, words.groups[group]),
          h('div', { 'data-group': group }),
        ),
      ),
      h(
        'section',
        { 'aria-label': words.playlist.group },
        h('h2', {}, words.playlist.group),
        this.#playlists,
        h('button', { type: 'button', onclick: () => this.#file.click() }, h('span'), words.playlist.open),
        this.#file,
      ),
    );
  }

  /**
   * @param {string} current @param {Progress} progress
   * @param {string[]} playlists their names @param {string|null} playlist the one that is shown
   */
  show(current, progress, playlists, playlist) {
    update(
      this.#playlists,
      playlists,
      name => name,
      name => h('button', { type: 'button', 'data-playlist': name }, h('span'), h('bdi', {}, name)),
      (button, name) => {
        button.ariaCurrent = name === playlist ? 'page' : null;
      },
    );
    for (const section of /** @type {HTMLElement[]} */ ([...this.#groups.querySelectorAll('[data-group]')]))
      update(
        section,
        entries().filter(({ group }) => group === section.dataset.group),
        ({ name }) => name,
        ({ name }) =>
          h(
            'button',
            { type: 'button', 'data-lesson': name },
            ring(),
            h('span', {}),
            h('span', { class: 'number dim' }),
          ),
        (button, { name, title }) => {
          const [right, asked] = progress[name] ?? [0, 0];
          button.ariaCurrent = name === current ? 'page' : null;
          button.style.setProperty('--done', String(asked ? right / asked : 0));
          button.classList.toggle('whole', asked > 0 && right === asked);
          setText(button.children[1], title);
          setText(button.children[2], asked ? `${right} / ${asked}` : '');
        },
      );
    if (current === this.#current) return;
    this.#current = current;
    this.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
}

/** A ring that fills as the lesson is done. */
function ring() {
  const picture = svg('svg', {
    viewBox: '0 0 16 16',
    width: 16,
    height: 16,
    'aria-hidden': 'true',
    class: 'ring',
  });
  picture.append(
    svg('circle', { cx: 8, cy: 8, r: 6 }),
    svg('circle', { cx: 8, cy: 8, r: 6, class: 'part', pathLength: 1, 'stroke-dasharray': 1 }),
    svg('path', { d: 'M5 8l2 2 4-4', class: 'tick' }),
  );
  return picture;
}

customElements.define('lesson-list', LessonList);
