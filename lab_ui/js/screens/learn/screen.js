/** Learn: every algorithm step by step, with any tokenizer and a text of one's own, to watch or to carry out. */
import { FOLLOW_MS } from '../../app/ask_while_open.js';
import { ALL_IN_USE } from '../../app/state/shared_settings.js';
import { followPanelSettings } from '../../app/panel_settings.js';
import { presentable } from '../../app/presentation/presentable.js';
import { Screen } from '../../app/screen.js';
import { words } from '../../lessons/words/index.js';
import { h, listen } from '../../ui/dom.js';
import { SidePanel } from '../../ui/side_panel.js';
import { exerciseCommands, learnCommands } from './commands.js';
import { saveLessonFigure, saveLessonHandout } from './hand_over.js';
import { Lecture } from './lecture.js';
import { Lectures } from './lectures.js';
import { LessonHead } from './lesson_head.js';
import { LessonList } from './lesson_list.js';
import { LessonWork } from './lesson_work.js';
import {
  entryOf,
  fits,
  isExercises,
  isPlaced,
  lessonOf,
  nameOf,
  opened,
  paramsOf,
  sameWork,
  stateOf,
  withSample,
  withScore,
} from './learn_state.js';
import { partOf } from './playlist.js';
import { LEARN } from './settings.js';
import { StepTable } from './step_table.js';

/** How long a step rests before the address says it. */
const REST_MS = 200;

class LearnScreen extends Screen {
  static settings = LEARN;

  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  /** Why the tokenizer that is pointed at cannot be shown. */
  #reason = '';
  #state = stateOf(new URLSearchParams());
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #resting;
  #list = new LessonList();
  #head = new LessonHead();
  #work = new LessonWork();
  #side = new SidePanel();
  /** @type {Lectures} */
  #lectures;
  #table = new StepTable();

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    this.#work.start(context, {
      shown: () => this.#onShown(),
      scored: score => this.#keep(score),
      seed: seed => this.#set({ seed }),
      invited: id => this.#use(id),
      fitting: id => context.settings.set({ active: id }), // which asks again
    });
    this.#lectures = new Lectures(context, playlist => this.#set({ playlist }));
    const { view } = this.#lectures;
    root.append(h('div', { class: 'learn' }, this.#list, this.#head, this.#work, view, this.#side));
    this.#side.label = 'The state in numbers';
    this.#side.body.append(this.#table);
    this.#side.body.tabIndex = 0; // a table alone is scrolled with the keyboard, too
    followPanelSettings(this.#side, 'learn', context.settings, this.life);
    this.#listen();
  }

  #listen() {
    const { settings, catalog } = this.#context;
    const { view } = this.#work;
    listen(this.#list, 'openlesson', name => this.#openLesson(name));
    listen(this.#list, 'openplaylist', playlist => this.#set({ playlist }));
    listen(this.#list, 'playlistfile', file => this.#lectures.openFile(file));
    listen(this.#head, 'addtoplaylist', name => this.#addTo(name));
    this.#lectures.playlists.addEventListener('change', () => this.#isActive && this.#drawHead());
    listen(this.#head, 'samplechange', sample => this.#writeSample(sample));
    listen(this.#head, 'waychange', way => this.#go(way));
    listen(this.#head, 'savefigure', format => saveLessonFigure(this.#context, this.#work, this.#state, format));
    listen(this.#head, 'savehandout', folder => saveLessonHandout(this.#context, this.#work, this.#state, folder));
    listen(view, 'drawn', at => this.#onStep(at));
    listen(this.#table, 'choose', key => view.choose(key));
    listen(this.#table, 'light', ref => view.light(ref));
    settings.on(['active', 'specials'], changed => this.#onSettings(changed), this.life);
    settings.on(['learn.progress'], () => this.#drawList(), this.life);
    settings.on(['showPanel'], () => this.#drawTable(), this.life);
    catalog.addEventListener('change', () => this.#isActive && this.#open(), { signal: this.life });
  }

  /** @param {URLSearchParams} params */
  activate(params) {
    const { settings, catalog } = this.#context;
    const { tokenizer, ...state } = stateOf(params);
    const isHere = tokenizer !== null && catalog.isUsable(tokenizer) && catalog.add(tokenizer);
    if (isHere) settings.set({ active: tokenizer });
    this.#isActive = true;
    this.#reason = ''; // it was cleared when this screen was left
    this.#state = { ...state, tokenizer: isHere ? null : tokenizer };
    if (!params.has('lesson')) this.#state.sample = this.#ownSample(state.lesson);
    this.#drawHead();
    this.#open();
    this.#lectures.load();
  }
  deactivate() {
    this.#isActive = false;
    clearTimeout(this.#resting);
    this.#work.stop();
    // Another tokenizer may be chosen until this screen is shown again, which then follows it.
    const { router } = this.#context;
    if (router.screen !== 'learn') router.replace('learn', paramsOf(this.#state));
  }
  get followsActive() {
    return true;
  }
  /** @param {string} tokenizer */
  misfitOf(tokenizer) {
    const { catalog } = this.#context;
    const lesson = lessonOf(this.#state.lesson);
    if (this.#state.playlist !== null || fits(lesson, catalog.entry(tokenizer))) return '';
    return words.view.misfit(catalog.nameOf(tokenizer), lesson.model);
  }
  /** @param {string|null} tokenizer */
  pointAt(tokenizer) {
    const reason = tokenizer === null ? '' : this.misfitOf(tokenizer);
    if (!this.#isActive || reason === this.#reason) return;
    this.#reason = reason;
    this.#context.status.now(reason);
  }
  get focusName() {
    return 'the lesson';
  }
  focusText() {
    if (this.#state.playlist !== null) this.#lectures.view.focusWork();
    else this.#work.current?.focusWork();
  }
  get commands() {
    const open = (/** @type {string} */ name) => this.#openLesson(name);
    if (isExercises(this.#state)) return exerciseCommands(this.#work.sheet, open);
    return learnCommands(this.#work.view.player, this.#context.settings, {
      open,
      text: () => this.#head.focusText(),
      way: way => this.#go(way),
    });
  }

  /** @param {Partial<import('./learn_state.js').LearnState>} patch @param {number} [waitMs] before it is asked for */
  #set(patch, waitMs = 0) {
    const before = this.#state;
    this.#state = { ...before, ...patch };
    this.#write();
    this.#drawHead();
    if (!sameWork(before, this.#state)) this.#open(waitMs);
  }

  /** Opens a lesson with the words that were typed there last. @param {string} name */
  #openLesson(name) {
    this.#set({ ...opened(name), sample: this.#ownSample(name) });
  }

  /** @param {string} lesson @returns {string|null} what was typed there; null: nothing */
  #ownSample(lesson) {
    return this.#context.settings.get('learn.samples')[lesson] ?? null;
  }

  /** @param {string} sample the text that was typed */
  #writeSample(sample) {
    const { settings } = this.#context;
    const { lesson } = this.#state;
    settings.set({ 'learn.samples': withSample(settings.get('learn.samples'), lesson, sample) });
    this.#set({ sample, at: 0, from: null }, FOLLOW_MS);
  }

  /** Shows the playlist or the lesson. @param {number} [waitMs] before it is asked for */
  #open(waitMs = 0) {
    const { playlist } = this.#state;
    this.#work.hidden = this.#head.hidden = playlist !== null;
    this.#lectures.show(playlist);
    if (playlist === null) this.#work.open(this.#state, waitMs);
    else this.#work.stop();
    this.#onShown();
  }

  /** @param {string} name of a playlist; '': a new one */
  #addTo(name) {
    const { title } = entryOf(this.#state);
    const { tokenizer } = this.#work;
    const at = this.#state.at ?? this.#work.view.player.at;
    this.#lectures.add(name, partOf({ ...this.#state, at }, { title, tokenizer, text: this.#text }));
  }

  /** @param {Set<string>} changed */
  #onSettings(changed) {
    if (!this.#isActive || this.#state.playlist !== null) return;
    if (changed.has('active')) {
      const at = this.#state.at ?? this.#work.view.player.at;
      this.#state = { ...this.#state, tokenizer: null, from: null, at }; // a place is one of its tokenizer
    }
    this.#write();
    this.#work.open(this.#state);
  }

  /** The address says what is shown, and with which tokenizer. */
  #write() {
    const tokenizer = this.#state.tokenizer ?? this.#context.settings.get('active');
    this.#context.router.replace('learn', paramsOf({ ...this.#state, tokenizer }));
  }

  /** @param {import('../../lessons/lesson_view.js').Way} way */
  #go(way) {
    this.#set({ way });
    this.#work.view.way = way;
  }

  /** Uses a tokenizer that was offered. @param {string} id */
  #use(id) {
    const { settings, catalog, status } = this.#context;
    if (!catalog.add(id)) status.showError(new Error(`${ALL_IN_USE}.`));
    else if (settings.get('active') === id) this.#set({ tokenizer: null });
    else settings.set({ active: id });
  }

  get #text() {
    return this.#state.sample ?? lessonOf(this.#state.lesson).example;
  }

  #drawHead() {
    const state = this.#state;
    const hasText = !isExercises(state);
    this.#head.show({
      ...entryOf(state),
      text: this.#text,
      way: state.way,
      hasWays: hasText && !isPlaced(state),
      hasText,
      playlists: this.#lectures.names,
    });
    this.#context.catalog.refit();
    this.#drawList();
  }

  #drawList() {
    const { playlist } = this.#state;
    const current = playlist === null ? nameOf(this.#state) : '';
    this.#list.show(current, this.#context.settings.get('learn.progress'), this.#lectures.names, playlist);
  }

  #onShown() {
    const { current, view } = this.#work;
    this.#side.hidden = current !== view || this.#state.playlist !== null;
    if (!current) this.#table.clear();
  }

  /** @param {number} at the step that was drawn */
  #onStep(at) {
    this.#drawTable();
    const { view, current } = this.#work;
    if (at === this.#state.at || !this.#isActive || !current) return;
    if (this.#state.at === null && at === view.arrived) return; // the address says its place
    this.#state = { ...this.#state, at };
    // Browsers refuse an address that changes many times a second.
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#write(), REST_MS);
  }

  #drawTable() {
    const { current, view } = this.#work;
    if (current === view && this.#context.settings.get('showPanel')) this.#table.show(view.table);
  }

  /** Keeps the best time. @param {{right: number, asked: number}} score */
  #keep(score) {
    const { settings } = this.#context;
    settings.set({ 'learn.progress': withScore(settings.get('learn.progress'), nameOf(this.#state), score) });
  }
}

export default presentable(LearnScreen, Lecture);
