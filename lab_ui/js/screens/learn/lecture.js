/**
 * The presentation of Learn: what is open, or the parts of a playlist, for a room. A clicker reveals answers and goes
 * on, keys count the votes of the class. The address says the part and the step; answers are covered after a reload.
 */
import { playlists } from '../../api/playlists.js';
import { PresenterFoot } from '../../app/presentation/presenter_foot.js';
import { Stage } from '../../app/presentation/stage.js';
import { Screen } from '../../app/screen.js';
import { VOTE_KEYS, VoteBars } from '../../lessons/vote_bars.js';
import { words } from '../../lessons/words/index.js';
import { h, listen, setText } from '../../ui/dom.js';
import { LessonWork } from './lesson_work.js';
import { entryOf, paramsOf, stateOf } from './learn_state.js';
import { minutesOf, missing, stateOfPart } from './playlist.js';

/** How large figures are at most, where the window is 1280 by 720. */
const ZOOM = 2.5;
/** A step that is behind the last one of any lesson. */
const END = 65_536;

/** @typedef {{title: string, when: string, state: import('./learn_state.js').LearnState}} Part */

export class Lecture extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  /** @type {Stage} */
  #stage;
  /** @type {Part[]} */
  #parts = [];
  #n = 0;
  /** The name of the playlist; null: one lesson is presented, not a playlist. @type {string|null} */
  #playlist = null;
  from = '';
  #work = new LessonWork();
  #votes = new VoteBars();
  #title = h('h2', { class: 'clip' });
  #about = h('span', {});
  #foot = new PresenterFoot();
  #black = h('div', { class: 'lecture-black', hidden: true });

  /** Called when the presentation is to end. */
  onLeave = () => {};

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    /** @param {string} tokenizer */
    const use = tokenizer => this.#open(this.#n, { ...this.#part.state, tokenizer });
    const seed = (/** @type {number} */ drawn) => this.#drawWith(drawn);
    const hooks = { shown: () => this.#draw(), scored: () => {}, seed, invited: use, fitting: use };
    this.#work.start(context, hooks, { keeps: false });
    for (const part of [this.#work.view, this.#work.place, this.#work.sheet])
      listen(part, 'drawn', () => part === this.#work.current && this.#draw());
    this.#stage = new Stage(root, context, {
      owner: 'learn',
      commands: () => this.commands,
      onFit: () => this.#fit(),
    });
    this.#stage.element.append(
      h('div', { class: 'lecture-head' }, this.#title, this.#about),
      h('div', { class: 'lecture-body' }, this.#work, this.#votes),
      this.#foot,
      this.#black,
    );
    listen(this.#foot, 'act', (/** @type {'next'|'back'|'cover'|'leave'|'list'} */ name) => this.#run[name]());
  }

  /** @param {URLSearchParams} params of the address @param {AbortSignal} signal */
  async activate(params, signal) {
    this.from = params.get('from') ?? '';
    this.#playlist = params.get('playlist');
    const state = { ...stateOf(params), playlist: null };
    this.#parts = [{ title: entryOf(state).title, when: '', state }];
    this.#n = 0;
    this.#votes.clear();
    this.#stage.open();
    if (this.#playlist === null) return this.#open(0, state);
    const found = (await playlists(signal)).find(({ name }) => name === this.#playlist);
    if (signal.aborted) return;
    if (!found) {
      this.#playlist = null;
      this.#open(0, state);
      throw missing(params.get('playlist') ?? '');
    }
    const times = minutesOf(found.parts);
    this.#parts = found.parts.map((part, n) => ({
      title: part.title,
      when: words.lecture.minutes(times[n], times[n + 1]),
      state: stateOfPart(part),
    }));
    const n = Math.min(Math.max(1, Number(params.get('part')) || 1), this.#parts.length) - 1;
    if (params.has('seed')) this.#parts[n].state.seed = state.seed;
    this.#open(n, { ...this.#parts[n].state, ...(params.has('at') && { at: state.at }) });
  }

  deactivate() {
    this.#work.stop();
    this.#black.hidden = true;
    this.#stage.close();
  }

  returnFocus() {
    this.#stage.returnFocus();
  }

  /** What the screen shows afterwards. */
  get rest() {
    const { state } = this.#part;
    return this.#playlist === null
      ? paramsOf({ ...state, tokenizer: this.#work.tokenizer, at: this.#at })
      : new URLSearchParams({ playlist: this.#playlist });
  }

  get commands() {
    const run = this.#run;
    const { player } = this.#work.view;
    return [
      { label: 'Reveal the answer, or go on', keys: ['PageDown', 'ArrowRight', ' ', 'Enter'], run: run.next },
      { label: 'Cover the answer, or go back', keys: ['PageUp', 'ArrowLeft'], run: run.back },
      { label: 'Next stop', keys: [']'], run: () => player.stop(1) },
      { label: 'Stop before', keys: ['['], run: () => player.stop(-1) },
      { label: 'Black screen', keys: ['b', '.'], also: 'cover', run: run.cover },
      { label: 'Take a vote back', keys: ['Backspace'], run: () => this.#votes.takeBack() },
      { label: 'Leave the presentation', keys: ['Escape', 'P'], run: run.leave },
      { label: 'Full screen', keys: ['f', 'F'], run: () => this.#stage.toggleFullScreen() },
      { label: 'Larger', keys: ['+', '='], run: () => this.#stage.resize(1) },
      { label: 'Smaller', keys: ['-'], run: () => this.#stage.resize(-1) },
      { label: 'Light or dark colours', keys: ['t'], also: 'theme', run: () => this.#stage.changePalette() },
      { label: words.lecture.list, keys: ['l'], run: run.list },
      ...this.#votes.open.map(({ label }, n) => ({
        label: words.vote.add(VOTE_KEYS[n], label),
        keys: [VOTE_KEYS[n]],
        run: () => this.#votes.vote(n),
      })),
    ];
  }

  #run = {
    next: () => this.#go(1),
    back: () => this.#go(-1),
    cover: () => {
      this.#black.hidden = !this.#black.hidden;
      if (!this.#black.hidden) this.#context.status.announce(words.lecture.black);
    },
    leave: () => this.onLeave(),
    list: () => {
      this.from = '';
      this.onLeave();
    },
  };

  get #part() {
    return this.#parts[this.#n];
  }

  /** The step, or the task. */
  get #at() {
    const { current, view, sheet } = this.#work;
    if (current === sheet) return sheet.at;
    return current === view ? view.player.at : 0;
  }

  /** Within the part, then to the next one or the one before. @param {1|-1} by */
  #go(by) {
    if (!this.#black.hidden) return this.#run.cover();
    if (this.#work.isWaiting) return;
    const { current } = this.#work;
    if (by > 0 ? current?.goOn(this.#votes.most) : current?.goBack()) return;
    const part = this.#parts[this.#n + by];
    if (!part) return;
    const isEnd = by < 0 && part.state.way === 'watch';
    this.#open(this.#n + by, isEnd ? { ...part.state, at: END } : part.state);
  }

  /** @param {number} n @param {import('./learn_state.js').LearnState} state */
  #open(n, state) {
    this.#n = n;
    this.#work.open(state);
  }

  /** Draws other paths at the step that is shown. @param {number} seed */
  #drawWith(seed) {
    this.#part.state.seed = seed;
    this.#open(this.#n, { ...this.#part.state, at: this.#at });
  }

  #draw() {
    const { current, tokenizer, isWaiting } = this.#work;
    const { title, when } = this.#part;
    const at = this.#at;
    const question = current?.question ?? null;
    setText(this.#title, title);
    setText(this.#about, [this.#context.catalog.nameOf(tokenizer), when].filter(Boolean).join(' · '));
    this.#votes.hasKeys = this.#context.settings.get('singleKeys');
    this.#votes.ask(`${this.#n} ${tokenizer} ${question?.at}`, question);
    const isLast = this.#n === this.#parts.length - 1;
    const onward = current?.isCovered ? words.lecture.reveal : words.lecture.next;
    const ends = isLast ? words.lecture.end : words.lecture.nextPart;
    const isDone = !isWaiting && !(current?.canGoOn ?? false);
    this.#foot.draw({
      labels: { ...words.lecture.labels, next: isDone ? ends : onward },
      canGoOn: !isDone || !isLast,
      canGoBack: this.#n > 0 || at > 0,
      letters: [],
      place: [this.#parts.length > 1 && words.lecture.part(this.#n + 1, this.#parts.length), current?.place ?? '']
        .filter(Boolean)
        .join(' · '),
      list: words.lecture.list,
    });
    this.#write(at);
  }

  /** @param {number} at */
  #write(at) {
    const { state } = this.#part;
    const lesson = paramsOf({ ...state, tokenizer: this.#work.tokenizer, at: 0 });
    const part = { playlist: this.#playlist ?? '', part: String(this.#n + 1) };
    const shown = this.#playlist === null ? lesson : new URLSearchParams(part);
    shown.set('at', String(at));
    const seed = lesson.get('seed');
    if (seed) shown.set('seed', seed);
    const from = this.from && { from: this.from };
    this.#context.router.replace('learn', new URLSearchParams({ present: '1', ...from, ...Object.fromEntries(shown) }));
  }

  #fit() {
    const { scale, size } = this.#stage;
    this.#stage.element.style.setProperty('--size', String(size));
    for (const part of [this.#work.view, this.#work.place, this.#work.sheet])
      part.present(ZOOM * scale * size, VOTE_KEYS);
  }
}
