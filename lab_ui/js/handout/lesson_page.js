/** A lesson in a handout: its rule, a text that can be changed, the steps. The engine is in the page. */
import { LessonView } from '../lessons/lesson_view.js';
import { SCENES } from '../lessons/scenes/index.js';
import { words } from '../lessons/words/index.js';
import { h, listen } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';
import { SegmentedControl } from '../ui/segmented_control.js';
import { Refusal, TextBox } from './parts.js';

/** @typedef {import('./contents.js').LessonContents} LessonContents */

export class LessonPage extends LabElement {
  view = new LessonView();
  #way = new SegmentedControl();
  #refusal = new Refusal();
  #box = new TextBox();
  /** @type {import('./engine.js').PageEngine} */
  #engine;
  /** @type {LessonContents} */
  #lesson;
  /** @type {import('../lessons/scenes/scene.js').Scene} */
  #scene;
  #tokenizer = { id: '', number: 0 };

  /**
   * Reports `place` (detail: what is shown) after each change.
   * @param {import('./engine.js').PageEngine} engine @param {LessonContents} lesson
   * @param {{id: string, number: number}} tokenizer `number`: the engine's
   */
  start(engine, lesson, tokenizer) {
    const scene = SCENES.find(({ name }) => name === lesson.name);
    if (!scene) throw new Error(`this page has no lesson ${lesson.name}`);
    this.#engine = engine;
    this.#scene = scene;
    this.#lesson = { ...lesson };
    this.#tokenizer = tokenizer;
    const { title, rule } = words.lessons[lesson.name];
    this.append(
      h('div', { class: 'handout-head' }, h('h1', {}, title), h('p', { class: 'dim' }, rule), this.#box, this.#way),
      this.#refusal,
      this.view,
    );
    document.title = title;
    this.#box.text = lesson.text;
    this.#box.hidden = !lesson.has_text;
    this.#way.ariaLabel = words.handout.ways;
    this.#way.options = [
      { value: 'watch', label: words.handout.watch },
      { value: 'do', label: words.handout.doIt },
    ];
    this.#way.value = lesson.way;
    listen(this.#way, 'valuechange', way => {
      this.#lesson.way = way;
      this.view.way = way;
      this.#report();
    });
    listen(this.view, 'drawn', at => {
      this.#lesson.at = at;
      this.#report();
    });
    listen(this.#box, 'textchange', text => this.#ask({ text, at: 0, facts: {} }));
    listen(this.view, 'drawagain', () => this.#ask({ seed: this.#lesson.seed + 1, at: this.view.player.at }));
    this.#ask({});
  }

  #report() {
    const { text, way, at, seed } = this.#lesson;
    this.emit('place', { text, way, at, ...(this.#scene.draws && { seed }) });
  }

  /** @param {Partial<LessonContents>} change */
  #ask(change) {
    Object.assign(this.#lesson, change);
    const { engine: name, text, way, at, learn, seed, specials, add_special_tokens, facts } = this.#lesson;
    const of = { tokenizer: this.#tokenizer.number, name, text, learn, seed, specials, add_special_tokens };
    const found = this.#refusal.unless(() => this.#engine.lesson(of));
    this.view.hidden = !found;
    if (!found) return this.view.clear();
    const own = { lesson: this.#lesson.name, tokenizer: this.#tokenizer.id, languages: [], chat: null, ...facts };
    this.view.show(this.#scene, { ...found, facts: { ...found.facts, ...own } }, { way, at });
  }
}

customElements.define('lesson-page', LessonPage);
