/**
 * One lesson: the task, the figure, a sentence, and the transport. Knows neither the backend nor the lab around it.
 *
 * `show` begins a lesson. Reports `drawn` (detail: the step) after each step, and `marked` (detail: the score) after
 * each answer, and `drawagain` where other draws are asked for.
 */
import { LabElement, onResize } from '../ui/element.js';
import { all, closest, h, setText, update } from '../ui/dom.js';
import { roving } from '../ui/roving.js';
import { arrivalAt } from './arrival.js';
import { Figure } from './figures/figure.js';
import { FrameStore } from './frame_store.js';
import { pretokenName } from './names.js';
import { Player } from './player.js';
import { plain } from './say.js';
import { LessonTransport } from './transport.js';
import { words } from './words/index.js';

/** Steps of which stops and tasks are looked for. */
const MOST_SCANNED = 4096;
/** Stops for which there is room: of more, the words of the text are the stops. */
const MOST_STOPS = 24;
/** Words of the text that are listed. */
const MOST_WORDS = 40;

/**
 * @typedef {import('./scenes/scene.js').Scene} Scene
 * @typedef {import('./scenes/scene.js').View} View
 * @typedef {'watch'|'do'} Way through a lesson: its steps are shown, or carried out by the learner
 * @typedef {{facts: any, frames: Uint8Array, ends: Uint32Array}} Lesson
 * @typedef {{right: number, missed: number, asked: number}} Score
 * @typedef {{place: import('./arrival.js').Place, isPart: boolean}} From a place of another screen; `isPart`: only a
 *   part of its text came along
 */

export class LessonView extends LabElement {
  player = new Player();
  /** @type {Scene|null} */
  #scene = null;
  /** @type {Lesson|null} */
  #lesson = null;
  /** @type {FrameStore} */
  #store;
  /** @type {Way} */
  #way = 'watch';
  /** By step: whether the first press was right. @type {Map<number, 'right'|'missed'|'shown'>} */
  #marks = new Map();
  /** By step: what was pressed first. @type {Map<number, string>} */
  #guesses = new Map();
  /** Steps before which something is asked. @type {Set<number>} */
  #asked = new Set();
  /** @type {string|null} */
  #chosen = null;
  #task = h('p', { class: 'lesson-task' });
  #mark = h('span', { class: 'lesson-mark dim' });
  #count = h('span', { class: 'lesson-count dim' });
  #words = h('div', { class: 'lesson-words', role: 'group', 'aria-label': words.view.words });
  #figure = new Figure({
    least: 360,
    margin: 4,
    choose: key => this.choose(key),
    fallback: () => this.#transport.bar,
  });
  #verdict = h('p', { class: 'lesson-verdict', role: 'status', hidden: true });
  #sentence = h('p', { class: 'lesson-sentence' });
  #again = h(
    'button',
    { type: 'button', class: 'button framed', hidden: true, onclick: () => this.emit('drawagain') },
    words.unigram.again,
  );
  #note = h('p', { class: 'lesson-note dim', role: 'status' });
  /** The step to which a link led; -1: none did, or it was left. */
  arrived = -1;
  #page = h(
    'div',
    { class: 'lesson-page' },
    h(
      'div',
      { class: 'lesson-head' },
      this.#task,
      h('div', { class: 'lesson-side' }, this.#count, this.#mark, this.#again),
    ),
    this.#words,
    this.#figure.element,
  );
  #transport = new LessonTransport();
  #stopAtWord = roving(this.#words, 'button');

  constructor() {
    super();
    this.player.hold = () => this.#isAsking();
    this.player.addEventListener('place', () => this.#onPlace());
    this.#transport.player = this.player;
    for (const type of ['pointerover', 'focusin', 'pointerout', 'focusout'])
      this.addEventListener(type, event =>
        this.light(/over|in$/.test(type) ? (closest(event, '[data-ref]')?.dataset.ref ?? null) : null),
      );
  }

  render() {
    this.append(
      this.#page,
      h('div', { class: 'lesson-foot' }, this.#verdict, this.#sentence, this.#note),
      this.#transport,
    );
  }

  connected(/** @type {AbortSignal} */ life) {
    life.addEventListener('abort', () => this.player.pause());
    onResize(this, () => this.#scene && this.#draw(), life);
  }

  /**
   * Begins a lesson.
   * @param {Scene} scene @param {Lesson} lesson
   * @param {{way: Way, at?: number, from?: From|null}} options `from`: it begins at the step of that place instead
   */
  show(scene, lesson, { way, at = 0, from = null }) {
    this.#scene = scene;
    this.#lesson = lesson;
    this.#store = new FrameStore(lesson.frames, lesson.ends);
    this.#way = way;
    this.#transport.hidesAhead = way === 'do';
    this.#marks.clear();
    this.#guesses.clear();
    this.#asked.clear();
    this.#chosen = null;
    this.#leave();
    setText(this.#mark, spaceWords(lesson.facts));
    this.#scan();
    const start = from ? this.#arrive(from) : at;
    this.player.load(this.#store.length, this.#stops(), way === 'do' ? this.#firstAsked(start) : start);
  }

  /** Goes to the step of a place of another screen. @param {From} from */
  goFrom(from) {
    if (this.#scene) this.player.go(this.#arrive(from));
  }

  /** Says where a link led. @param {From} from @returns {number} the step */
  #arrive({ place, isPart }) {
    const { at, message } = arrivalAt(place, /** @type {Lesson} */ (this.#lesson).facts, this.#store);
    this.arrived = at;
    const part = isPart ? words.arrival[place.kind === 'token' ? 'partAround' : 'partBeginning'] : '';
    setText(this.#note, [message, part].filter(Boolean).join(' '));
    return at;
  }

  /** Shows nothing. */
  clear() {
    this.player.pause();
    this.#leave();
    this.#scene = null;
    this.#figure.clear();
    this.#words.replaceChildren();
    for (const part of [this.#task, this.#mark, this.#count, this.#sentence]) setText(part, '');
    this.#say(null);
  }

  /** @param {Way} way */
  set way(way) {
    if (way === this.#way) return;
    this.#way = way;
    this.#chosen = null;
    this.#transport.hidesAhead = way === 'do';
    if (this.#scene) this.player.go(way === 'do' ? this.#firstAsked(this.player.at) : this.player.at);
  }

  /** @returns {Score} */
  get score() {
    const marks = [...this.#marks.values()];
    return {
      right: marks.filter(mark => mark === 'right').length,
      missed: marks.filter(mark => mark !== 'right').length,
      asked: this.#asked.size,
    };
  }

  /** Lights what a sentence points at. @param {string|null} ref */
  light(ref) {
    for (const part of all(this, '[data-ref]')) part.classList.toggle('lit', ref !== null && part.dataset.ref === ref);
  }

  /** The figure and its sentence, to be saved. */
  get picture() {
    return { element: this.#figure.picture, caption: this.#sentence.textContent ?? '' };
  }

  /** The state of the step as numbers. */
  get table() {
    return /** @type {Scene} */ (this.#scene).table(this.#view());
  }

  /** Puts the keyboard on what can be chosen, else on the bar. */
  focusWork() {
    this.#figure.focus();
  }

  /**
   * What is asked, in a class: the step, what can be chosen, and once it is revealed the right choice. Null: nothing.
   * @returns {{at: number, choices: {key: string, label: string}[], right: string|null}|null}
   */
  get question() {
    if (!this.#scene || !this.#isAsking()) return null;
    const right = this.#chosen === null ? null : this.#scene.right(this.#view());
    return { at: this.player.at, choices: this.#figure.choices, right };
  }

  /** Whether an answer is to be revealed. */
  get isCovered() {
    return this.#isAsking() && this.#chosen === null;
  }
  get canGoOn() {
    return this.player.at < this.player.last;
  }
  /** @returns {string} where it stands */
  get place() {
    return words.transport.place(this.player.at, this.player.last);
  }

  /**
   * Goes on as a clicker does: to the answer of what is asked, else to the next task or step.
   * @param {string|null} said the choice that the class made @returns {boolean} false: this is the end
   */
  goOn(said) {
    const { at, last } = this.player;
    if (at === last) return false;
    if (this.#isAsking() && this.#chosen === null) {
      this.#chosen = said ?? this.#scene?.right(this.#view()) ?? null;
      if (said !== null) this.#guesses.set(at, said);
      this.#draw();
    } else if (this.#way === 'do') this.player.go(this.#nextAsked(at + 1));
    else this.player.step(1);
    return true;
  }

  /** Covers the answer again, else goes back by a task or step. @returns {boolean} false: this is the start */
  goBack() {
    const { at } = this.player;
    if (this.#chosen !== null) this.player.go(at);
    else if (this.#way === 'watch' && at > 0) this.player.step(-1);
    else {
      const before = [...this.#asked].findLast(each => each < at);
      if (before === undefined) return false;
      this.player.go(before);
    }
    return true;
  }

  /** Draws it for a class. @param {number} zoom at most @param {string[]} keys that vote for choices */
  present(zoom, keys) {
    Object.assign(this.#figure, { zoom, keys });
    if (this.#scene) this.#draw();
  }

  /** Answers the task. @param {string} key of a choice */
  choose(key) {
    if (!this.#scene || !this.#isAsking()) return;
    const view = this.#view();
    const right = this.#scene.right(view);
    const { at } = this.player;
    const isRight = this.#scene.isRight?.(view, key) ?? key === right;
    if (!this.#marks.has(at)) this.#marks.set(at, isRight ? 'right' : 'missed');
    if (!this.#guesses.has(at)) this.#guesses.set(at, key);
    if (isRight) {
      const answer = spelled(this.#answerTo(view));
      this.#chosen = null;
      this.player.go(this.#nextAsked(at + 1));
      this.#say(this.#marks.get(at) === 'right' ? 'right' : 'rightLater', ...answer);
    } else {
      this.#chosen = key;
      this.#draw();
    }
    this.emit('marked', this.score);
  }

  /** What is said of the right choice. @param {View} view */
  #answerTo(view) {
    const scene = /** @type {Scene} */ (this.#scene);
    const at = view.at + 1;
    return scene.answer?.(view) ?? scene.sentence({ ...view, state: this.#store.state(at), at });
  }

  #isAsking() {
    return this.#way === 'do' && this.#asked.has(this.player.at);
  }

  /** Finds the steps before which something is asked. */
  #scan() {
    const scene = /** @type {Scene} */ (this.#scene);
    const length = Math.min(this.#store.length, MOST_SCANNED);
    for (let at = 0; at < length - 1; at++)
      if (scene.asks(this.#store.now(at + 1), at, this.#store.length - 1, n => this.#store.state(n)))
        this.#asked.add(at);
  }

  /** A step before which something is asked: from `at` on, else the first one. @param {number} at */
  #firstAsked(at) {
    const next = this.#nextAsked(at);
    return this.#asked.has(next) ? next : this.#nextAsked(0);
  }

  /** The first step from `at` on before which something is asked, else the last one. @param {number} at */
  #nextAsked(at) {
    for (let next = at; next < this.#store.length; next++) if (this.#asked.has(next)) return next;
    return this.#store.length - 1;
  }

  #stops() {
    const scene = /** @type {Scene} */ (this.#scene);
    const { facts } = /** @type {Lesson} */ (this.#lesson);
    const length = Math.min(this.#store.length, MOST_SCANNED);
    const names = new Set(Object.values(words.stops));
    const found = [];
    for (let at = 0; at < length; at++) {
      const word = scene.stop(this.#store.now(at), facts);
      if (word) found.push({ at, word, isToken: !names.has(word) });
    }
    const byWord = scene.group === 'encoding' && found.length > MOST_STOPS ? this.#wordStops(facts) : [];
    return byWord.length > 1 ? [found[0], ...byWord, found[found.length - 1]] : found;
  }

  /** The first step of each word. @param {any} facts */
  #wordStops(facts) {
    /** @type {import('./player.js').Stop[]} */
    const found = [];
    let last = -1;
    for (let at = 1; at < this.#store.length - 1; at++) {
      const { pretoken } = this.#store.now(at);
      if (pretoken === undefined || pretoken === last) continue;
      last = pretoken;
      found.push({ at, word: pretokenName(facts, facts.pretokens[pretoken].text) });
    }
    return found;
  }

  /** The step of a link is no longer shown. */
  #leave() {
    this.arrived = -1;
    setText(this.#note, '');
  }

  #onPlace() {
    if (!this.#scene) return;
    if (this.player.at !== this.arrived) this.#leave();
    // A task that was passed over has been shown.
    if (this.#way === 'do')
      for (const at of this.#asked) if (at < this.player.at && !this.#marks.has(at)) this.#marks.set(at, 'shown');
    this.#chosen = null;
    this.#draw();
  }

  /** @returns {View} */
  #view() {
    const store = this.#store;
    const { at } = this.player;
    const state = store.state(at); // before the next one, which is found from it
    return {
      facts: /** @type {Lesson} */ (this.#lesson).facts,
      at,
      last: store.length - 1,
      state,
      next: at + 1 < store.length ? store.state(at + 1) : null,
      stateAt: n => store.state(n),
      nowAt: n => store.now(n),
      isAsked: this.#isAsking(),
      chosen: this.#chosen,
      guesses: this.#guesses,
    };
  }

  #draw() {
    const scene = /** @type {Scene} */ (this.#scene);
    const view = this.#view();
    const right = this.#chosen === null ? null : scene.right(view);
    const sheet = this.#figure.draw(sheet =>
      scene.draw(view, sheet, key => (key === right ? 'right' : key === this.#chosen ? 'wrong' : '')),
    );
    if (sheet.followsEnd) this.#page.scrollTop = this.#page.scrollHeight;
    setText(this.#task, scene.task(view));
    this.#drawWords(view);
    this.#again.hidden = this.#way === 'do' || view.state.now.step !== 'draws';
    const sentence = scene.sentence(view);
    this.#sentence.replaceChildren(...nodesOf(sentence));
    this.#transport.sentence = plain(sentence);
    const score = this.score;
    const said = score.asked ? words.view.score(score.right, score.asked) : words.view.nothingAsked;
    setText(this.#count, this.#way === 'do' ? said : '');
    if (this.#chosen === null) this.#say(null);
    else if (this.#chosen === right) this.#say('answer', ...spelled(this.#answerTo(view)));
    else {
      const reason = nodesOf(scene.miss(view, this.#chosen, right ?? ''));
      this.#say('wrong', ...reason, ' ', h('span', { class: 'dim' }, words.view.goOn));
    }
    this.emit('drawn', view.at);
  }

  /**
   * What the last press was, in the place of the sentence.
   * @param {'right'|'rightLater'|'wrong'|'answer'|null} kind @param {...(Node|string)} said
   */
  #say(kind, ...said) {
    this.#verdict.hidden = kind === null;
    this.#sentence.hidden = kind !== null && this.player.at < this.player.last;
    if (kind === null) return;
    this.#verdict.dataset.kind = kind === 'rightLater' ? 'right' : kind;
    this.#verdict.replaceChildren(h('b', {}, `${kind === 'wrong' ? '×' : '✓'} ${words.view[kind]}`), ' ', ...said);
  }

  /** @param {View} view */
  #drawWords({ facts, state, next, isAsked }) {
    const now = (isAsked ? next?.now.pretoken : state.now.pretoken) ?? -1;
    const parts = facts.pretokens ?? [];
    const isUseful = parts.length > 1 && this.#scene?.group === 'encoding';
    const first = Math.max(0, Math.min(now - MOST_WORDS / 2, parts.length - MOST_WORDS));
    this.#words.hidden = !isUseful;
    update(
      this.#words,
      isUseful
        ? parts
            .slice(first, first + MOST_WORDS)
            .map((/** @type {any} */ part, /** @type {number} */ n) => ({ ...part, n: first + n }))
        : [],
      part => part.n,
      part => h('button', { type: 'button', class: 'lesson-word mono', onclick: () => this.#toWord(part.n) }),
      (button, part) => {
        setText(button, pretokenName(facts, part.text));
        button.ariaCurrent = part.n === now ? 'step' : null;
      },
    );
    this.#stopAtWord();
  }

  /** Goes to the first step of a word. @param {number} word */
  #toWord(word) {
    for (let at = 0; at < this.#store.length; at++)
      if (this.#store.now(at).pretoken === word) {
        this.player.step(Math.max(0, at - (this.#way === 'do' ? 1 : 0)) - this.player.at);
        return;
      }
  }
}

/** A sentence, whose parts point at the figure. @param {import('./say.js').Part[]} parts @returns {(Node|string)[]} */
export const nodesOf = parts =>
  parts.map(part =>
    typeof part === 'string'
      ? part
      : h('span', { class: 'lesson-link', tabIndex: 0, 'data-ref': part.ref }, h('bdi', { class: 'mono' }, part.text)),
  );

/**
 * A sentence that points at nothing, for its figure is gone: values keep their letters.
 * @param {import('./say.js').Part[]} parts
 */
const spelled = parts => parts.map(part => (typeof part === 'string' ? part : h('bdi', { class: 'mono' }, part.text)));

/** What the mark of a space stands for, where one is shown. @param {any} facts */
function spaceWords(facts) {
  const [first] = facts.pretokens ?? [];
  const isAdded = first && pretokenName(facts, first.text).startsWith('·') && !facts.text.startsWith(' ');
  if (isAdded) return words.view.addedSpace;
  return / /.test(facts.text) ? words.view.space : '';
}

customElements.define('lesson-view', LessonView);
