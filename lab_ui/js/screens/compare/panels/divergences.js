/** Where the tokenizers differ: the list, the map beside the text, and going from one divergence to the next. */
import { encodingLesson, tokenLink } from '../../../app/lesson_link.js';
import { Panel } from '../../../app/panel.js';
import { shortened } from '../../../text/clusters.js';
import { spokenText } from '../../../text/visible_text.js';
import { h, listen, setText } from '../../../ui/dom.js';
import { jumpButtons } from '../../../ui/jump_buttons.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { count, plural } from '../../../util/format.js';
import { DivergenceList, NO_TEXT } from '../divergence_list.js';
import { MiniMap } from '../mini_map.js';

const MOST_SPOKEN = 60; // UTF-16 units

export class DivergencesPanel extends Panel {
  #panes;
  #spellings;
  #list = new DivergenceList();
  /** @type {import('../panes.js').CompareAnswer|null} */
  #answer = null;
  /** Numbers of the divergences of the kind that is shown. @type {Uint32Array<ArrayBuffer>} */
  #numbers = new Uint32Array(0);
  /** The kind that is shown; null: all. @type {string|null} */
  #kind = null;
  #current = -1;
  #position = h('span', { class: 'number dim', 'data-role': 'divergence-position' });
  #buttons = jumpButtons('divergence', by => this.jump(by));
  element = h('div', { class: 'tab-panel' }, this.#list);
  #watch = new MenuButton();
  tools = [this.#position, ...this.#buttons, this.#watch];
  map = new MiniMap();

  /**
   * @param {import('../panes.js').Panes} panes that show the text
   * @param {() => import('../../../app/tokenizers/spellings.js').Spellings} spellings of the tokens
   */
  constructor(panes, spellings) {
    super();
    this.#spellings = spellings;
    this.#panes = panes;
    listen(this.#list, 'choose', number => this.go(number));
    listen(this.#list, 'kind', kind => this.#filter(kind));
    this.#watch.label = 'Watch how';
    this.#watch.hint = 'The step of a lesson that makes the first token of the divergence';
    this.#watch.hook = 'watch-how';
    listen(this.map, 'jump', share => panes.reveal(Math.round(share * this.context.session.length)));
  }

  /** @param {import('../panes.js').CompareAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (answer && isSettled) {
      this.#draw(answer);
      return;
    }
    this.#answer = answer;
    this.#numbers = new Uint32Array(0);
    this.#current = -1;
    this.#panes.ranges = [];
    if (answer) return;
    this.#panes.mark([]);
    if (isSettled) {
      this.#list.clear(this.context.session.length ? '' : NO_TEXT);
      this.map.show([], [], 1);
      this.map.shown = { from: 0, to: 1 };
    }
    this.#drawPosition();
  }

  /** The stretch of the text of the current divergence. @returns {{from: number, to: number, className: string}[]} */
  get ranges() {
    if (!this.#answer || this.#current < 0) return [];
    const { start16, end16 } = this.#answer.divergences;
    return [{ from: start16.at(this.#current), to: end16.at(this.#current), className: 'current' }];
  }

  /** Goes to the next divergence of the kind that is shown, or to the one before. @param {number} by */
  jump(by) {
    const { length } = this.#numbers;
    if (!length) return;
    const at = this.#numbers.indexOf(this.#current);
    this.go(this.#numbers[at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length]);
  }

  /** Whether a divergence is of the kind that is shown. @param {number} number */
  isShown(number) {
    return this.#numbers.includes(number);
  }

  /** @param {number} number */
  go(number) {
    if (!this.#answer) return;
    const { divergences, text, lanes } = this.#answer;
    const from = divergences.start16.at(number);
    const to = divergences.end16.at(number);
    this.#current = number;
    this.#panes.ranges = this.ranges;
    this.#panes.go(number, from);
    this.#list.chosen = number;
    this.#drawPosition();
    const counts = lanes.map(({ name }, column) => `${name} ${divergences.count(number, column)}`).join(', ');
    const spoken = spokenText(shortened(text.slice(from, to), MOST_SPOKEN));
    const kind = divergences.kinds[divergences.kind.at(number)];
    this.context.status.announce(`divergence ${this.#position.textContent}: ${spoken}, ${kind}; tokens: ${counts}`);
  }

  /** Goes to a divergence of any kind. @param {number} number */
  goToAny(number) {
    if (!this.isShown(number)) this.#filter(null);
    this.go(number);
  }

  /** More spellings are known. */
  respell() {
    this.#list.redraw();
  }

  /** Shows in the map what is in the viewport. */
  drawViewport() {
    if (this.#answer) this.map.shown = this.#panes.shown;
  }

  /** @param {import('../panes.js').CompareAnswer} answer */
  #draw({ divergences, text, lanes }) {
    const ofKind = divergences.kinds.map(() => 0);
    for (const kind of divergences.kind.all()) ofKind[kind]++;
    const kindCounts = new Map(divergences.kinds.map((name, kind) => [name, ofKind[kind]]));
    if (this.#kind && !kindCounts.get(this.#kind)) this.#kind = null;
    const wanted = this.#kind === null ? -1 : divergences.kinds.indexOf(this.#kind);
    const numbers = divergences.numbersOf(wanted);
    this.#numbers = numbers;
    /** @param {string} tokenizer @param {number} id */
    const entryOf = (tokenizer, id) => this.#spellings().entry(tokenizer, id);
    this.#list.show({ divergences, numbers, kind: this.#kind, kindCounts, text, lanes, entryOf });
    /** @param {import('../../../text/gap_array.js').GapArray} list */
    const places = list => (wanted < 0 ? list.all() : numbers.map(n => list.at(n)));
    this.map.show(places(divergences.start16), places(divergences.end16), text.length);
    this.#drawPosition();
    this.drawViewport();
  }

  #drawPosition() {
    const { length } = this.#numbers;
    const at = this.#numbers.indexOf(this.#current);
    // Where nothing is compared there is no number of divergences, and it is not 0.
    const position =
      !this.#answer || this.#answer.lanes.length < 2
        ? ''
        : at < 0
          ? plural(length, 'divergence')
          : `${count(at + 1)} of ${plural(length, 'divergence')}`;
    setText(this.#position, position);
    for (const one of this.#buttons) one.disabled = !length;
    this.#offerLessons();
  }

  /** Offers the lesson of each tokenizer that has one, on the current divergence. */
  #offerLessons() {
    const { catalog } = this.context;
    const lanes = this.#answer && this.#current >= 0 ? this.#answer.lanes : [];
    const offers = lanes
      .filter(({ id }) => encodingLesson(catalog.entry(id)))
      .map(({ id, name }) => ({ value: id, label: name }));
    this.#watch.classList.toggle('absent', !offers.length); // keeps its room: nothing moves under the pointer
    this.#watch.offer('Step by step', offers, { hook: 'watch-how', choose: id => this.#watchHow(id) });
  }

  /** Opens the lesson at the step that makes the first token of the current divergence. @param {string} id */
  #watchHow(id) {
    const lane = this.#answer?.lanes.find(each => each.id === id);
    const lesson = encodingLesson(this.context.catalog.entry(id));
    if (!this.#answer || !lane || !lesson || this.#current < 0) return;
    const { divergences, text } = this.#answer;
    const { tokens } = lane;
    const k = Math.min(tokens.firstEndingAfterByte(divergences.start8.at(this.#current)), tokens.placedCount - 1);
    if (k >= 0) this.context.router.go('learn', tokenLink(lesson, id, text, tokens, tokens.placed(k)));
  }

  /** @param {string|null} kind */
  #filter(kind) {
    this.#kind = kind;
    if (this.#answer) this.#draw(this.#answer);
    this.context.status.announce(`${plural(this.#numbers.length, 'divergence')} shown`);
  }
}
