/**
 * The work area of Learn: a lesson, Place the boundaries, a sheet of exercises, or the reason why it can show none of
 * them. `open` asks for one of these and shows it; `current` is the one that is shown.
 */
import { lesson, placeBoundaries } from '../../api/lessons.js';
import { AskWhileOpen } from '../../app/ask_while_open.js';
import { learnFor } from '../../app/lesson_link.js';
import { LessonView } from '../../lessons/lesson_view.js';
import { PlaceView } from '../../lessons/place_view.js';
import { SCENES } from '../../lessons/scenes/index.js';
import { words } from '../../lessons/words/index.js';
import { listen } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { Invitation } from '../../ui/invitation.js';
import { problemWords } from '../../util/format.js';
import { Exercises } from './exercises.js';
import { ADD, fits, isCounted, isExercises, isPlaced, lessonOf, offerOf, refusalOf } from './learn_state.js';

/**
 * @typedef {import('./learn_state.js').LearnState} LearnState
 * @typedef {{tokenizer: string, text: string, specials: import('../../api/types.js').Specials}} Question
 * @typedef {Object} Hooks
 * @property {() => void} shown another part is shown
 * @property {(score: {right: number, asked: number}) => void} scored
 * @property {(seed: number) => void} seed another sheet is asked for, or other draws
 * @property {(id: string) => void} invited a tokenizer was chosen of those that are offered
 * @property {(id: string) => void} fitting a tokenizer in use has the model that the lesson needs: it is to be shown
 */

export class LessonWork extends LabElement {
  view = new LessonView();
  place = new PlaceView();
  #none = new Invitation();
  /** @type {import('../../app/context.js').Context} */
  #context;
  /** @type {Hooks} */
  #hooks;
  /** @type {AskWhileOpen} */
  #asking;
  /** @type {Exercises} */
  #exercises;
  /** @type {LearnState} */
  #state;
  /** Lesson, tokenizer and text of what is shown; '': nothing, or what is no longer asked for. */
  #shown = '';
  /** The lesson that took another tokenizer. */
  #told = '';
  /** What Place the boundaries asks. @type {Question|null} */
  #question = null;
  /** What the lesson was asked with. @type {(Question & {name: string, learn?: number, seed?: number})|null} */
  #lesson = null;

  /**
   * @param {import('../../app/context.js').Context} context @param {Hooks} hooks
   * @param {{keeps?: boolean}} [options] `keeps`: answers of exercises, as progress
   */
  start(context, hooks, { keeps = true } = {}) {
    this.#context = context;
    this.#hooks = hooks;
    this.#asking = new AskWhileOpen(context.activity);
    this.#exercises = new Exercises(
      context,
      {
        shown: () => this.#show(this.sheet, this.#askedSheet()),
        refused: error => this.#refuse(words.exercises.noTasks, problemWords(error)),
        seed: hooks.seed,
        marked: ({ right, of }) => hooks.scored({ right, asked: of }),
      },
      { keeps },
    );
    listen(this.view, 'marked', score => this.#shown && hooks.scored(score));
    listen(this.view, 'drawagain', () => hooks.seed(this.#state.seed + 1));
    listen(this.place, 'reveal', guess => this.#mark(guess));
    listen(this.#none, 'invited', name =>
      name === ADD ? context.dialog.open(lessonOf(this.#state.lesson).model) : hooks.invited(name),
    );
    this.append(this.view, this.place, this.#none);
  }

  get sheet() {
    return this.#exercises.view;
  }

  /** What is shown; null: why there is nothing. @returns {LessonView|PlaceView|Exercises['view']|null} */
  get current() {
    return [this.view, this.place, this.sheet].find(part => this.#shown && part.isConnected && !part.hidden) ?? null;
  }

  /** Whether the answer of what was asked for is still to come. */
  get isWaiting() {
    return !this.#shown && this.#none.hidden;
  }

  /** The figure and what it shows, to be saved. */
  get picture() {
    return (this.current === this.place ? this.place : this.view).picture;
  }

  /** What the lesson that is shown was asked with; null: none is shown. */
  get question() {
    return this.current === this.view ? this.#lesson : null;
  }

  /** The tokenizer that it is shown with; '': none is in use. */
  get tokenizer() {
    return this.#state.tokenizer ?? this.#context.settings.get('active') ?? '';
  }

  stop() {
    this.view.player.pause();
    this.#asking.stop();
    this.#exercises.stop();
  }

  /** Shows a lesson, or says what it needs. @param {LearnState} state @param {number} [waitMs] before it is asked */
  open(state, waitMs = 0) {
    this.#state = state;
    const { settings, catalog } = this.#context;
    const of = lessonOf(state.lesson);
    const id = this.tokenizer;
    if (!isExercises(state)) this.#exercises.stop();
    if (this.#told && this.#told !== of.name) this.#tell('', '');
    if (state.tokenizer && !catalog.isUsable(id)) return this.#refuse(...offerOf(of, catalog.entries, id));
    if (!fits(of, catalog.entry(id))) {
      const fitting = state.tokenizer ? null : catalog.chosen.find(other => fits(of, catalog.entry(other)));
      if (!fitting) return this.#refuse(...offerOf(of, catalog.entries));
      if (this.#shown) this.#tell(of.name, words.view.misfit(catalog.nameOf(id), of.model));
      return this.#hooks.fitting(fitting);
    }
    if (isExercises(state)) return this.#askSheet();
    const text = state.sample ?? of.example;
    const refusal = refusalOf(text, of);
    if (refusal) return this.#refuse(...refusal);
    const learn = state.learn ?? learnFor(state.from?.place ?? null) ?? of.learn;
    const specials = of.specials ?? settings.get('specials');
    const question = { tokenizer: id, text, specials, learn, ...(of.draws && { seed: state.seed }) };
    const asked = JSON.stringify([of.name, catalog.revisionOf(id), question]);
    if (asked === this.#shown) return this.#follow();
    this.#forget();
    if (isPlaced(state)) {
      this.#asking.stop();
      this.#question = question;
      this.#show(this.place, asked);
      this.place.tokenizer = catalog.nameOf(id);
      this.place.asksCount = isCounted(state);
      this.place.text = text;
      return;
    }
    this.#asking.ask({
      waitMs,
      ask: signal => lesson(of.name, question, signal),
      show: found => {
        const scene = SCENES.find(({ name }) => name === of.name);
        if (!scene) return;
        this.#lesson = { name: of.name, ...question };
        this.#show(this.view, asked);
        const { way, at, from } = this.#state;
        this.view.show(scene, found, { way, at: at ?? 0, from: at === null ? from : null });
      },
      showProblem: error => {
        const reason = problemWords(error);
        const named = catalog.entries.filter(entry => entry.id !== id && reason.includes(entry.id));
        this.#refuse('No lesson with this tokenizer and text', reason, offerOf(of, named)[2]);
      },
    });
  }

  /** Says why another tokenizer is taken, until another lesson is. @param {string} lesson @param {string} said */
  #tell(lesson, said) {
    this.#told = lesson;
    this.#context.status.progress(said);
  }

  /** What is shown belongs to another question: it may change nothing any more. */
  #forget() {
    this.#shown = '';
    this.view.player.pause();
  }

  /** The lesson is shown already: goes to the step of the address, in its way. */
  #follow() {
    this.#asking.stop();
    const { way, at, from } = this.#state;
    if (this.view.hidden) return;
    this.view.way = way;
    if (at === null && from) this.view.goFrom(from);
    else if (this.view.player.at !== at) this.view.player.go(at ?? 0);
  }

  #askSheet() {
    this.#asking.stop();
    if (this.#askedSheet() === this.#shown) return;
    const { kind, seed, at } = this.#state;
    this.#forget();
    this.#exercises.open({ tokenizer: this.tokenizer, kind, seed }, at ?? 0);
  }

  /** What a sheet is of. */
  #askedSheet() {
    const { kind, seed } = this.#state;
    return JSON.stringify([this.#context.catalog.revisionOf(this.tokenizer), this.tokenizer, kind, seed]);
  }

  /** Shows one of the parts alone. @param {HTMLElement} part @param {string} asked what it shows */
  #show(part, asked) {
    const { status, catalog } = this.#context;
    this.#shown = asked;
    if (!part.isConnected) this.append(part);
    for (const each of [this.view, this.place, this.sheet, this.#none]) each.hidden = each !== part;
    if (part !== this.view) this.view.clear();
    status.note(part === this.#none ? '' : words.view.source(catalog.nameOf(this.tokenizer)));
    this.#hooks.shown();
  }

  /** Asks for the marks of a guess. @param {number[]} guess */
  #mark(guess) {
    const question = this.#question;
    if (!question) return;
    this.#asking.ask({
      ask: signal => placeBoundaries({ ...question, guess }, signal),
      show: marks => {
        this.place.show(marks);
        if (isCounted(this.#state)) return;
        this.#hooks.scored({ right: marks.found, asked: marks.found + marks.missing + marks.extra });
      },
      showProblem: error => this.#context.status.showError(error),
    });
  }

  /** @param {string} title @param {string} said @param {import('../../ui/invitation.js').Act[]} [acts] */
  #refuse(title, said, acts = []) {
    this.#asking.stop();
    this.#show(this.#none, '');
    this.#none.show({ title, paragraphs: [{ words: said }], acts });
  }
}

customElements.define('lesson-work', LessonWork);
