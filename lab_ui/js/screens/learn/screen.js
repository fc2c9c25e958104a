/** Learn: every algorithm step by step, with any tokenizer and a text of one's own, to watch or to carry out. */
import { lesson, placeBoundaries } from '../../api/lessons.js';
import { AskWhileOpen, FOLLOW_MS } from '../../app/ask_while_open.js';
import { ALL_IN_USE } from '../../app/state/shared_settings.js';
import { followPanelSettings } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { LessonView } from '../../lessons/lesson_view.js';
import { PlaceView } from '../../lessons/place_view.js';
import { PLACE, SCENES } from '../../lessons/scenes/index.js';
import { words } from '../../lessons/words/index.js';
import { h, listen } from '../../ui/dom.js';
import { Invitation } from '../../ui/invitation.js';
import { SidePanel } from '../../ui/side_panel.js';
import { problemWords } from '../../util/format.js';
import { exerciseCommands, learnCommands } from './commands.js';
import { Exercises } from './exercises.js';
import { saveFigure } from './figure_file.js';
import { LessonHead } from './lesson_head.js';
import { LessonList } from './lesson_list.js';
import {
  EXERCISES,
  entries,
  fits,
  lessonOf,
  nameOf,
  offerOf,
  opened,
  paramsOf,
  refusalOf,
  stateOf,
  withScore,
} from './learn_state.js';
import { LEARN } from './settings.js';
import { StepTable } from './step_table.js';

/** How long a step rests before the address says it. */
const REST_MS = 200;

export default class LearnScreen extends Screen {
  static settings = LEARN;

  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #state = stateOf(new URLSearchParams());
  /** @type {AskWhileOpen} */
  #asking;
  /** What is shown: lesson, tokenizer and text. */
  #shown = '';
  /**
   * What was asked of it.
   * @type {{tokenizer: string, text: string, specials: import('../../api/types.js').Specials}|null}
   */
  #question = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #resting;
  #list = new LessonList();
  #head = new LessonHead();
  #view = new LessonView();
  #place = new PlaceView();
  /** @type {Exercises} */
  #exercises;
  #none = new Invitation();
  #side = new SidePanel();
  #table = new StepTable();

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    this.#asking = new AskWhileOpen(context.activity);
    this.#exercises = new Exercises(context, {
      shown: () => this.#show(this.#exercises.view, this.#asked()),
      refused: error => this.#refuse(words.exercises.noTasks, problemWords(error)),
      seed: seed => this.#set({ seed }),
      marked: ({ right, of }) => this.#keep({ right, asked: of }),
    });
    root.append(h('div', { class: 'learn' }, this.#list, this.#head, this.#view, this.#place, this.#none, this.#side));
    this.#side.label = 'The state in numbers';
    this.#side.body.append(this.#table);
    this.#side.body.tabIndex = 0; // a table alone is scrolled with the keyboard, too
    followPanelSettings(this.#side, context.settings, this.life);
    this.#listen();
  }

  #listen() {
    const { settings, catalog } = this.#context;
    listen(this.#list, 'openlesson', name => this.#set(opened(name)));
    listen(this.#head, 'samplechange', sample => this.#set({ sample, at: 0 }, FOLLOW_MS));
    listen(this.#head, 'waychange', way => this.#go(way));
    listen(this.#head, 'savefigure', format => this.#save(format));
    listen(this.#view, 'drawn', view => this.#onStep(view));
    listen(this.#view, 'marked', score => this.#keep(score));
    listen(this.#place, 'reveal', guess => this.#mark(guess));
    listen(this.#table, 'choose', key => this.#view.choose(key));
    listen(this.#table, 'light', ref => this.#view.light(ref));
    listen(this.#none, 'invited', id => {
      if (catalog.add(id)) settings.set({ active: id });
      else this.#context.status.showError(new Error(`${ALL_IN_USE}.`));
    });
    settings.on(['active', 'specials'], () => this.#isActive && this.#ask(), this.life);
    settings.on(['learn.progress'], () => this.#drawList(), this.life);
    catalog.addEventListener('change', () => this.#isActive && this.#ask(), { signal: this.life });
  }

  /** @param {URLSearchParams} params */
  activate(params) {
    this.#isActive = true;
    this.#state = stateOf(params);
    this.#drawHead();
    this.#ask();
  }
  deactivate() {
    this.#isActive = false;
    clearTimeout(this.#resting);
    this.#view.player.pause();
    this.#asking.stop();
    this.#exercises.stop();
  }
  get followsActive() {
    return true;
  }
  get focusName() {
    return 'the lesson';
  }
  focusText() {
    (this.#isExercises ? this.#exercises.view : this.#isPlacing ? this.#place : this.#view).focusWork();
  }
  get commands() {
    if (this.#isExercises) return exerciseCommands(this.#exercises.view, name => this.#set(opened(name)));
    return learnCommands(this.#view.player, this.#context.settings, {
      open: name => this.#set(opened(name)),
      text: () => this.#head.focusText(),
      way: way => this.#go(way),
    });
  }

  get #lesson() {
    return lessonOf(this.#state.lesson);
  }
  /** The id of the tokenizer; '' if none is in use. */
  get #tokenizer() {
    return this.#context.settings.get('active') ?? '';
  }
  get #isPlacing() {
    return this.#state.lesson === PLACE.name;
  }
  get #isExercises() {
    return this.#state.lesson === EXERCISES.name;
  }
  get #text() {
    return this.#state.sample ?? this.#lesson.example;
  }

  /** @param {Partial<import('./learn_state.js').LearnState>} patch @param {number} [waitMs] before it is asked for */
  #set(patch, waitMs = 0) {
    const before = this.#state;
    this.#state = { ...before, ...patch };
    this.#context.router.replace('learn', paramsOf(this.#state));
    this.#drawHead();
    const { lesson, sample, kind, seed } = this.#state;
    if (before.lesson !== lesson || before.sample !== sample || before.kind !== kind || before.seed !== seed)
      this.#ask(waitMs);
  }

  /** @param {'watch'|'do'} way */
  #go(way) {
    this.#set({ way });
    this.#view.way = way;
  }

  #drawHead() {
    const { title, rule } = entries().find(({ name }) => name === nameOf(this.#state)) ?? { title: '', rule: '' };
    const hasText = !this.#isExercises;
    const hasWays = hasText && !this.#isPlacing;
    this.#head.show({ title, rule, text: this.#text, way: this.#state.way, hasWays, hasText });
    this.#drawList();
  }

  #drawList() {
    this.#list.show(nameOf(this.#state), this.#context.settings.get('learn.progress'));
  }

  /** Asks for the lesson, or says what it needs. @param {number} [waitMs] */
  #ask(waitMs = 0) {
    const { settings, catalog } = this.#context;
    const of = this.#lesson;
    if (!this.#isExercises) this.#exercises.stop();
    const fitting = catalog.chosen.find(other => fits(of, catalog.entry(other)));
    const id = this.#tokenizer;
    if (!fits(of, catalog.entry(id))) {
      if (fitting) {
        if (this.#shown) this.#context.status.progress(words.view.otherModel(catalog.nameOf(id), of.model));
        settings.set({ active: fitting }); // which asks again
      } else this.#refuse(...offerOf(of, catalog.entries));
      return;
    }
    if (this.#isExercises) return this.#askSheet(id);
    const refusal = refusalOf(this.#text, of);
    if (refusal) return this.#refuse(...refusal);
    const specials = of.specials ?? settings.get('specials');
    const question = { tokenizer: id, text: this.#text, specials, learn: of.learn };
    const asked = JSON.stringify([of.name, catalog.revisionOf(id), question]);
    if (asked === this.#shown) return this.#follow();
    this.#forget();
    if (this.#isPlacing) {
      this.#asking.stop();
      this.#question = question;
      this.#show(this.#place, asked);
      this.#place.text = this.#text;
      return;
    }
    this.#asking.ask({
      waitMs,
      ask: signal => lesson(of.name, question, signal),
      show: found => {
        const scene = SCENES.find(({ name }) => name === of.name);
        if (!scene) return;
        this.#question = question;
        this.#show(this.#view, asked);
        this.#view.show(scene, found, { way: this.#state.way, at: this.#state.at });
      },
      showProblem: error => {
        const others = catalog.entries.filter(entry => entry.id !== id && catalog.chosen.includes(entry.id));
        this.#refuse('No lesson with this tokenizer and text', problemWords(error), offerOf(of, others)[2]);
      },
    });
  }

  /** What is shown belongs to another question: it may change nothing any more. */
  #forget() {
    this.#shown = '';
    this.#view.player.pause();
  }

  /** The lesson is shown already: goes to the step of the address, in its way. */
  #follow() {
    this.#asking.stop();
    const { way, at } = this.#state;
    if (this.#view.hidden) return;
    this.#view.way = way;
    if (this.#view.player.at !== at) this.#view.player.go(at);
  }

  /** @param {string} tokenizer */
  #askSheet(tokenizer) {
    this.#asking.stop();
    const { kind, seed } = this.#state;
    if (this.#asked() === this.#shown) return;
    this.#forget();
    this.#exercises.open({ tokenizer, kind, seed });
  }

  /** What a sheet is of. */
  #asked() {
    const { catalog } = this.#context;
    const { kind, seed } = this.#state;
    return JSON.stringify([catalog.revisionOf(this.#tokenizer), this.#tokenizer, kind, seed]);
  }

  /** Shows one of the parts alone. @param {HTMLElement} part @param {string} asked what it shows */
  #show(part, asked) {
    const { status, catalog } = this.#context;
    this.#shown = asked;
    if (part === this.#exercises.view && !part.isConnected) this.#none.before(part);
    for (const each of [this.#view, this.#place, this.#exercises.view, this.#none]) each.hidden = each !== part;
    this.#side.hidden = part !== this.#view;
    if (part !== this.#view) this.#view.clear();
    status.note(part === this.#none ? '' : words.view.source(catalog.nameOf(this.#tokenizer)));
  }

  /** Asks for the marks of a guess. @param {number[]} guess */
  #mark(guess) {
    const question = this.#question;
    if (!question) return;
    this.#asking.ask({
      ask: signal => placeBoundaries({ ...question, guess }, signal),
      show: marks => {
        this.#place.show(marks);
        this.#keep({ right: marks.found, asked: marks.found + marks.missing + marks.extra });
      },
      showProblem: error => this.#context.status.showError(error),
    });
  }

  /** Saves the figure as it is shown, with its caption. @param {'pdf'|'png'|'svg'} format */
  #save(format) {
    const { activity, status } = this.#context;
    const { lesson: name, at } = this.#state;
    const { picture } = this.#isPlacing ? this.#place : this.#view;
    const saved = saveFigure(picture, words.lessons[name].title, `${name}-${at}`, format);
    activity.track(saved.catch(error => status.showError(error)));
  }

  /** @param {string} title @param {string} said @param {import('../../ui/invitation.js').Act[]} [acts] */
  #refuse(title, said, acts = []) {
    this.#asking.stop();
    this.#show(this.#none, '');
    this.#table.clear();
    this.#none.show({ title, paragraphs: [{ words: said }], acts });
  }

  /** @param {{at: number, table: ReturnType<import('../../lessons/scenes/scene.js').Scene['table']>}} step */
  #onStep({ at, table }) {
    if (this.#shown) this.#table.show(table);
    if (at === this.#state.at || !this.#isActive || !this.#shown) return;
    this.#state = { ...this.#state, at };
    // Browsers refuse an address that changes many times a second.
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#context.router.replace('learn', paramsOf(this.#state)), REST_MS);
  }

  /** Keeps the best time. @param {{right: number, asked: number}} score */
  #keep(score) {
    const { settings } = this.#context;
    const progress = withScore(settings.get('learn.progress'), nameOf(this.#state), score);
    if (this.#shown) settings.set({ 'learn.progress': progress });
  }
}
