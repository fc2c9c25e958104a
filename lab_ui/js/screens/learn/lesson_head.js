/**
 * The head of a lesson: its name and rule, the text, the way through it, and the files of its figure. Gets `show`;
 * reports `samplechange` (detail: the text), `waychange` (detail: the way), `savefigure` (detail: the format),
 * `savehandout` (detail: whether as a folder) and `addtoplaylist` (detail: its name, '' for a new one).
 */
import { words } from '../../lessons/words/index.js';
import { LabElement } from '../../ui/element.js';
import { h, listen, setText } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
/** @import {Way} from '../../lessons/lesson_view.js' */

export class LessonHead extends LabElement {
  #title = h('h2', {});
  #rule = h('p', { class: 'dim' });
  #sample = h('textarea', {
    rows: 1,
    class: 'mono',
    'aria-label': 'Text of the lesson',
    spellcheck: false,
    autocomplete: 'off',
    oninput: () => this.emit('samplechange', this.#sample.value),
  });
  #text = h('label', { class: 'learn-text' }, h('span', { class: 'dim' }, 'Text'), this.#sample);
  #way = new SegmentedControl();
  #export = new MenuButton();
  #add = new MenuButton();
  #figures = ['pdf', 'png', 'svg'].map(format =>
    this.#export.item(`Figure (${format.toUpperCase()})`, () => this.emit('savefigure', format)),
  );
  #handouts = [
    this.#export.item(words.handout.item, () => this.emit('savehandout', false)),
    this.#export.item(words.handout.folderItem, () => this.emit('savehandout', true)),
  ];

  render() {
    this.classList.add('learn-head');
    this.append(h('div', { class: 'grow' }, this.#title, this.#rule), this.#text, this.#way, this.#add, this.#export);
    this.#add.label = words.playlist.add;
    this.#way.ariaLabel = 'How to go through it';
    this.#way.options = [
      { value: 'watch', label: 'Watch' },
      { value: 'do', label: 'Do it' },
    ];
    listen(this.#way, 'valuechange', way => this.emit('waychange', way));
    this.#export.label = 'Export';
    this.#export.panel.append(...this.#figures, ...this.#handouts);
  }

  /**
   * @param {{title: string, rule: string, text: string, way: Way, hasWays: boolean, hasText: boolean,
   *   playlists: string[]}} shown
   *   `hasText`: it is a lesson on a text, with a figure
   */
  show({ title, rule, text, way, hasWays, hasText, playlists }) {
    this.#add.offer(
      words.playlist.group,
      [...playlists.map(name => ({ value: name, label: name })), { value: '', label: words.playlist.fresh }],
      { hook: 'add-to', choose: name => this.emit('addtoplaylist', name) },
    );
    setText(this.#title, title);
    setText(this.#rule, rule);
    this.#way.value = way;
    this.#way.hidden = !hasWays;
    for (const part of this.#handouts) part.hidden = hasText && !hasWays;
    for (const part of [this.#text, ...this.#figures]) part.hidden = !hasText;
    if (this.#sample.value !== text) this.#sample.value = text;
  }

  focusText() {
    this.#sample.focus();
  }
}

customElements.define('lesson-head', LessonHead);
