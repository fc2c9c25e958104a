/** The list of lessons with how far each is done. Gets `show`, reports `openlesson` (detail: the name). */
import { LabElement } from '../../ui/element.js';
import { closest, h, setText, update } from '../../ui/dom.js';
import { svg } from '../../ui/svg.js';
import { words } from '../../lessons/words/index.js';
import { entries } from './learn_state.js';

/** @typedef {Object<string, [number, number]>} Progress steps that were right and that were asked, by lesson */

export class LessonList extends LabElement {
  #groups = h('div', {});
  /** The entry that was shown last. */
  #current = '';

  render() {
    this.role = 'navigation';
    this.ariaLabel = 'Lessons';
    this.append(h('h1', {}, 'Learn'), this.#groups);
    this.addEventListener('click', event => {
      const name = closest(event, '[data-lesson]')?.dataset.lesson;
      if (name) this.emit('openlesson', name);
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
    );
  }

  /** @param {string} current @param {Progress} progress */
  show(current, progress) {
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
