/**
 * The steps of a training as a long list: merges, iterations or tokens. It stays at the last step while "Follow" is on;
 * a look at an earlier row turns it off. Gets `show` and `renew`; reports `orderchange` (detail: newest or first),
 * `followchange` (detail: whether), `choosestep` (detail: a row) and `watch` (detail: the row that is chosen).
 */
import { gridCells, gridHead, gridHeads } from '../../ui/data_grid.js';
import { actionButton, h, listen, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { tokenFace } from '../../ui/tokens/token_label.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { count, mergeNumber, plural } from '../../util/format.js';
import { ORDERS } from './settings.js';
import { isByScore, lossWords, scoreWords } from './train_words.js';

const ROW = 26;
/** Letters for which the columns of numbers have room from the start. */
const USUAL_LETTERS = Object.entries({ rank: 5, count: 5 });
const DIGIT = 8.2; // px
const MOST_SHORT = 4; // characters of a token that is never cut

/**
 * @typedef {import('../../api/trainings.js').StepRow} StepRow
 * @typedef {import('./steps.js').Steps} Steps
 * @typedef {'newest'|'first'} Order
 * @typedef {import('../../ui/data_grid.js').Column<StepRow> & {name: string}} Column
 * @typedef {{title: string, caption: string, kind: string, columns: Column[]}} Look
 */

/** @param {number|null|undefined} n of tokens, more or fewer */
const change = n => (n === null || n === undefined ? '–' : n === 0 ? '0' : `${n < 0 ? '−' : '+'}${count(Math.abs(n))}`);

/** @param {import('../../api/trainings.js').Piece|undefined} piece @param {string} className */
const face = (piece, className) => (piece ? [tokenFace(piece, className)] : ['–']);

/**
 * A part of a pair: of two, the longer one gives way.
 * @param {import('../../api/trainings.js').Piece|undefined} piece
 */
const pairFace = piece => face(piece, [...(piece?.text ?? '')].length > MOST_SHORT ? 'plain' : 'plain short');

/** @type {Column} */
const RANK = {
  name: 'rank',
  label: 'Merge',
  title: 'Place in the order of the merges, from 1',
  cell: row => [mergeNumber(row.rank)],
};
/** @type {Column} */
const COUNT = { name: 'count', label: 'Count', title: 'Occurrences in the corpus', cell: row => [count(row.count)] };
/** @type {Column} */
const PAIR = {
  name: 'pair',
  label: 'Pair',
  title: 'The two tokens that are merged',
  cell: row => [...pairFace(row.left), h('span', { class: 'faint' }, '+'), ...pairFace(row.right)],
};
/** @type {Column} */
const TOKEN = {
  name: 'token',
  label: 'New token',
  title: 'The token that the merge makes',
  cell: row => face(row.token, ''),
};
/** @type {Column} */
const HELD_OUT = {
  name: 'held',
  label: 'Held-out tokens',
  title: 'How many tokens more or fewer the held-out text has',
  cell: row => [h('span', { class: row.held_out_tokens ? '' : 'faint' }, change(row.held_out_tokens))],
};
/** @type {Column} */
const SCORE = {
  name: 'score',
  label: 'Score',
  title: 'Count of the pair, divided by the counts of its parts',
  cell: row => [scoreWords(row.score)],
};

/** @type {Object<string, Look>} */
const LOOKS = {
  bpe: {
    title: 'merges',
    caption: 'count: how often the pair occurred',
    kind: 'bpe',
    columns: [RANK, PAIR, COUNT, TOKEN, HELD_OUT],
  },
  wordpiece: {
    title: 'merges',
    caption: 'score: count of the pair divided by those of its parts',
    kind: 'wordpiece',
    columns: [RANK, PAIR, COUNT, SCORE, TOKEN, HELD_OUT],
  },
  unigram: {
    title: 'iterations',
    caption: 'loss: negative log-likelihood of the corpus',
    kind: 'unigram',
    columns: [
      { name: 'rank', label: 'Iteration', title: 'From 1', cell: row => [count((row.iteration ?? 0) + 1)] },
      { name: 'phase', label: 'Stage', title: 'What was done', cell: row => [stageWords(row.stage)] },
      { name: 'count', label: 'Tokens', title: 'Tokens that are left', cell: row => [count(row.tokens)] },
      {
        name: 'score',
        label: 'Loss',
        title: 'Negative log-likelihood, natural logarithm',
        cell: row => [typeof row.loss === 'number' ? lossWords(row.loss) : '–'],
      },
      {
        ...HELD_OUT,
        title: 'Tokens of the held-out text',
        cell: row => [count(row.held_out_tokens)],
      },
    ],
  },
  words: {
    title: 'tokens',
    caption: 'count: how often the token occurs in the corpus',
    kind: 'words',
    columns: [
      { ...RANK, label: 'Rank', title: 'Place by count, from 1' },
      { ...TOKEN, label: 'Token', title: 'The token' },
      { name: 'id', label: 'Id', title: 'Number in the vocabulary', cell: row => [String(row.id ?? '–')] },
      COUNT,
    ],
  },
};

/** @type {Object<string, string|undefined>} */
const STAGES = { em: 'EM', prune: 'Prune', final: 'Last' };
/** @param {string|undefined} stage */
const stageWords = stage => STAGES[stage ?? ''] ?? stage ?? '–';

/** @param {Object<string, any>} options of the training */
const lookOf = options =>
  LOOKS[options.algorithm === 'wordpiece' && !isByScore(options) ? 'bpe' : options.algorithm] ?? LOOKS.words;

export class StepsTable extends LabElement {
  #title = h('h2', { class: 'train-title' });
  #caption = h('p', { class: 'train-caption' });
  #order = new SegmentedControl();
  #follow = new ToggleSwitch();
  #watch = actionButton('Watch how', () => this.#chosen && this.emit('watch', this.#chosen), {
    class: 'small-chip',
    'data-role': 'watch-how',
    title: 'The step of the lesson that does this',
  });
  /** The row that is chosen, if there is a lesson on it. @type {StepRow|null} */
  #chosen = null;
  #canWatch = false;
  #head = gridHead();
  #list = new VirtualList();
  #grid = h('div', { class: 'step-grid' });
  #empty = h('p', { class: 'dim step-empty' });
  /** @type {Steps|null} */
  #steps = null;
  /** @type {Look} */
  #look = LOOKS.bpe;
  /** @type {Column[]} */
  #columns = [];
  #drawnColumns = '';
  /** @type {Order} */
  #ordered = 'newest';
  #isFollowing = true;
  #isLive = false;
  /** Steps that the list shows: those that came after the user began to read are not among them. */
  #shown = 0;
  /** Where the list itself has scrolled to. */
  #kept = 0;

  render() {
    this.#order.ariaLabel = 'Order of the steps';
    this.#order.options = ORDERS;
    this.#follow.label = 'Follow';
    this.#follow.name = 'Follow the last step';
    this.#follow.hint = 'Stays at the last step while the training runs';
    this.#follow.hook = 'train-follow';
    this.#grid.append(this.#head, this.#list);
    this.append(
      h(
        'div',
        { class: 'step-tools' },
        h('div', { class: 'grow' }, this.#title, this.#caption),
        this.#watch,
        this.#order,
        this.#follow,
      ),
      this.#grid,
      this.#empty,
    );
    this.#list.dataset.role = 'train-steps';
    this.#list.start({
      rowHeight: ROW,
      label: 'Steps of the training',
      grid: this.#grid,
      drawRow: row => this.#row(row),
    });
    listen(this.#order, 'valuechange', order => this.emit('orderchange', order));
    listen(this.#follow, 'valuechange', isOn => this.emit('followchange', isOn));
    this.#list.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    listen(this.#list, 'choose', row => this.#choose(row));
  }

  /**
   * @param {{steps: Steps, options: Object<string, any>, order: Order, follows: boolean, isLive: boolean,
   *   hasHeldOut: boolean, canWatch: boolean, words: string}} shown `canWatch`: there is a lesson on a step; `words`:
   *   said where there are no steps
   */
  show({ steps, options, order, follows, isLive, hasHeldOut, canWatch, words }) {
    const isOther = steps !== this.#steps || order !== this.#ordered;
    const began = follows && !this.#isFollowing;
    this.#steps = steps;
    this.#ordered = order;
    this.#isFollowing = follows;
    this.#isLive = isLive;
    this.#look = lookOf(options);
    setText(this.#title, `${order === 'newest' ? 'Newest' : 'First'} ${this.#look.title}`);
    setText(this.#caption, this.#look.caption);
    setText(this.#empty, words);
    this.#order.value = order;
    this.#follow.checked = follows;
    this.#follow.hidden = !isLive;
    this.#canWatch = canWatch;
    if (isOther) this.#chosen = null;
    this.#drawWatch();
    this.#drawHead(hasHeldOut);
    if (isOther) {
      this.#shown = 0;
      this.#kept = 0;
      this.#list.scrollTop = 0;
      this.#list.chosen = -1;
      this.#renew();
    } else if (began) this.#renew();
  }

  /** More steps were read. */
  renew() {
    if (this.isConnected) this.#renew();
  }

  #renew() {
    const total = this.#steps?.total ?? 0;
    const isFrozen = this.#ordered === 'newest' && this.#isLive && !this.#isFollowing && this.#shown > 0;
    if (!isFrozen) this.#shown = total;
    this.#empty.hidden = total > 0;
    this.#grid.hidden = this.#order.hidden = total === 0;
    this.#list.count = this.#shown;
    if (this.#isLive && this.#isFollowing && total) this.#scrollToLast();
  }

  #scrollToLast() {
    this.#list.scrollTop = this.#ordered === 'newest' ? 0 : this.#list.scrollHeight;
    this.#kept = this.#list.scrollTop;
  }

  #onScroll() {
    this.#steps?.retry();
    if (!this.#isLive || !this.#isFollowing) return;
    if (Math.abs(this.#list.scrollTop - this.#kept) > ROW) this.emit('followchange', false);
  }

  /** @param {number} row of the list */
  #choose(row) {
    const step = this.#stepAt(row);
    if (!step) return;
    if (this.#isLive && this.#isFollowing) this.emit('followchange', false);
    this.#chosen = step;
    this.#drawWatch();
    this.emit('choosestep', step);
  }

  #drawWatch() {
    this.#watch.hidden = !this.#canWatch || !this.#chosen;
  }

  /** @param {number} row of the list */
  #stepAt(row) {
    const place = this.#ordered === 'newest' ? this.#shown - 1 - row : row;
    return place < 0 ? null : (this.#steps?.at(place) ?? null); // the list may still be that of another training
  }

  /** @param {boolean} hasHeldOut */
  #drawHead(hasHeldOut) {
    const version = `${this.#look.kind} ${hasHeldOut}`;
    if (version === this.#drawnColumns) return;
    this.#drawnColumns = version;
    this.#columns = this.#look.columns.filter(column => hasHeldOut || column.name !== HELD_OUT.name);
    this.#grid.dataset.kind = this.#look.kind;
    this.#grid.dataset.held = String(hasHeldOut);
    this.#head.replaceChildren(...gridHeads(this.#columns));
    this.#list.redraw();
  }

  /** @param {number} row of the list */
  #row(row) {
    const cells = gridCells(this.#columns, this.#stepAt(row));
    this.#columns.forEach(({ name }, n) => this.#widen(name, cells[n].textContent?.length ?? 0));
    return cells;
  }

  /**
   * Makes a column of numbers as wide as the longest number that was drawn.
   * @param {string} name @param {number} letters
   */
  #widen(name, letters) {
    const widest = this.#widest.get(name);
    if (widest === undefined || letters <= widest) return;
    this.#widest.set(name, letters);
    this.#grid.style.setProperty(`--${name}-column`, `${Math.ceil(DIGIT * letters)}px`);
  }
  #widest = new Map(USUAL_LETTERS);
}

/** What is said of a step that is pointed at. @param {StepRow} row */
export function stepWords(row) {
  if (row.iteration !== undefined) return `iteration ${count(row.iteration + 1)}, ${plural(row.tokens ?? 0, 'token')}`;
  const { rank, id, token } = row;
  const bytes = token ? `${plural(token.bytes.length / 2, 'byte')}: ${token.bytes.replace(/../g, '$& ').trim()}` : '';
  const score = typeof row.score === 'number' ? `score ${scoreWords(row.score)}` : '';
  return [
    `${row.left === undefined ? 'rank' : 'merge'} ${mergeNumber(rank)}`,
    id === undefined ? '' : `id ${id}`,
    bytes,
    score,
  ]
    .filter(Boolean)
    .join(', ');
}

customElements.define('steps-table', StepsTable);
