/**
 * Presents the text line by line, with one tokenizer's tokens hidden until their line is reached. The state is
 * `presenter_state.js`, keys are `presenter_commands.js`, what is drawn over the text is `line_marks.js`, and the
 * window around it is `stage.js`. A screen extends it with `owner`, `tokenizers` and `lanesOf`.
 *
 * It presents a text session of its own. The text of the lab is copied into it and only read, so it keeps its edits,
 * caret and history whatever is presented, and the screen keeps its answer while it is hidden.
 */
import { SESSION_CLIENT } from '../../api/session_client.js';
import { EncodedScreen } from '../encoded_screen.js';
import { TextSession } from '../../text/session.js';
import { h, listen, setText } from '../../ui/dom.js';
import { plural } from '../../util/format.js';
import { coveredLanes } from './covered_lanes.js';
import { countInLine, countLinesWithText, linesWithText } from './line_counts.js';
import { LineMarks } from './line_marks.js';
import { presentedRows } from './presented_rows.js';
import { presenterCommands } from './presenter_commands.js';
import { PresenterFoot } from './presenter_foot.js';
import { PresenterHead } from './presenter_head.js';
import { currentStep, hiddenOf, isRevealed, paramsOf, reduce, stateOf } from './presenter_state.js';
import { Stage } from './stage.js';
import { TextsDialog } from './texts_dialog.js';

const MOST_SHOWN = 2000; // UTF-16 units of a line that is scrolled to

export class TextPresenter extends EncodedScreen {
  #head = new PresenterHead();
  #foot = new PresenterFoot();
  #marks = new LineMarks();
  #dialog = new TextsDialog();
  #summary = h('p', { class: 'visually-hidden', 'data-role': 'line-summary' });
  #empty = h('p', { class: 'presenter-empty', hidden: true });
  #body = h('div', { class: 'presenter-text' }, this.text, this.#empty);
  /** @type {Stage} */
  #stage;
  /** @type {import('../../text/session.js').TextSession} of the lab */
  #lab;
  /** @type {import('./presenter_state.js').State} */
  #state;
  /** Numbers of the lines to walk. @type {number[]} */
  #lines = [];
  /** @type {import('../../text/session_types.js').Answer|null} of the text that is shown */
  #answer = null;
  #from = '';
  /** The screen whose settings `PRESENTATION` are used. */
  owner = '';

  /** @param {HTMLElement} root @param {import('../context.js').Context} context */
  mount(root, context) {
    this.#lab = context.session;
    const session = new TextSession({ client: SESSION_CLIENT, track: work => context.activity.track(work) });
    // Before the encoding listens: what it asks for depends on what the editor shows.
    session.addEventListener('edit', () => this.#takeText());
    super.mount(root, { ...context, session });
    const commands = () => this.commands;
    this.#stage = new Stage(root, context, { owner: this.owner, commands, onFit: () => this.#fit() });
    this.#stage.element.append(this.#head, this.#body, this.#summary, this.#foot, this.#dialog);
    listen(this.#head, 'toggleguess', () => this.#do({ type: 'toggle' }));
    listen(this.#foot, 'act', (/** @type {'next'|'back'|'cover'|'leave'} */ name) => this.#run[name]());
    listen(this.#dialog, 'texts', texts => context.settings.set({ [this.#listName]: texts }));
    listen(this.#dialog, 'restore', () => context.settings.reset([this.#listName]));
    listen(this.#dialog, 'present', text => this.#goTo(text));
  }

  start() {
    const { nonce } = this.context;
    this.text.start({
      kind: 'lanes',
      nonce,
      label: 'Text',
      rows: lanes => presentedRows(lanes, this.#stage.scale * this.#stage.size),
    });
    this.text.addOverlay(this.#marks);
    this.#takeText();
  }

  /** Shows the presentation. @param {URLSearchParams} params of the address @param {AbortSignal} signal */
  activate(params, signal) {
    this.#from = params.get('from') ?? '';
    this.#state = stateOf(params, this.#steps(), this.tokenizers.length > 1);
    const shown = this.#stage.open();
    this.#openText();
    super.activate(params, signal);
    this.text.whiteSpace = this.context.settings.get('showWhiteSpace');
    this.#lab.addEventListener('edit', () => this.#takeOwn(), { signal: shown });
    this.#draw();
    this.#scroll();
    this.#announce('Presentation. ');
  }

  deactivate() {
    super.deactivate();
    this.#forget();
    this.#stage.close();
  }

  destroy() {
    super.destroy();
    this.context.session.destroy();
  }

  /** Keeps no second copy of the text and its tokens, here or in the backend: the next presentation copies it again. */
  #forget() {
    this.context.session.clear();
    this.encoding.forget();
    this.#answer = null;
    if (this.isStarted) this.text.setTokens([]);
  }

  /** Gives the focus back to what had it before, if that is shown again. */
  returnFocus() {
    this.#stage.returnFocus();
  }

  /** @returns {string[]} ids of the tokenizers that are presented */
  get tokenizers() {
    return [];
  }

  /**
   * @param {import('../../text/session_types.js').Answer} _answer
   * @returns {import('../../editor/painter.js').LaneSource[]}
   */
  lanesOf(_answer) {
    return [];
  }

  get commands() {
    return presenterCommands(this.#described, this.#run);
  }

  wanted() {
    const ids = this.tokenizers;
    return ids.length ? this.wantedOf(ids, ids.length > 1) : null;
  }

  /** @param {import('../../text/session_types.js').Answer} answer */
  lanes(answer) {
    return coveredLanes(this.lanesOf(answer), this.#hidden, this.#coveredFrom);
  }

  /** @param {import('../../text/session_types.js').Answer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (isSettled && answer) return;
    this.#answer = answer;
    this.#draw(false);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (!this.isActive) return;
    if (changed.has('showWhiteSpace')) this.text.whiteSpace = this.context.settings.get('showWhiteSpace');
    if (changed.has(this.#listName)) this.#takeList();
    this.#draw();
  }

  /** The screen that the presentation was begun on; "": the one that is presented. */
  get from() {
    return this.#from;
  }

  /** What keys, buttons and the palette do, by name. */
  #run = {
    next: () => this.#do({ type: 'next' }),
    back: () => this.#do({ type: 'back' }),
    cover: () => this.#do({ type: 'cover' }),
    toggle: () => this.#do({ type: 'toggle' }),
    hide: (/** @type {string} */ id) => this.#do({ type: 'hide', id, hidden: this.#hidden }),
    leave: () => this.onLeave(),
    fullScreen: () => this.#stage.toggleFullScreen(),
    larger: () => this.#resize(1),
    smaller: () => this.#resize(-1),
    palette: () => this.#stage.changePalette(),
    list: () => this.#dialog.show(this.#texts, this.#own, this.#state.text),
  };

  /** Called when the presentation is to end. */
  onLeave = () => {};

  /** The setting that has the prepared texts. */
  get #listName() {
    return `${this.owner}.texts`;
  }

  get #texts() {
    return this.context.settings.get(this.#listName);
  }

  /** The text of the lab. */
  get #own() {
    return { text: this.#lab.text, lines: linesWithText(this.#lab.doc).length };
  }

  #steps() {
    return [this.#own.lines, ...this.#texts.map(countLinesWithText)];
  }

  get #hidden() {
    return this.#state.isHiding ? hiddenOf(this.#state, this.tokenizers) : null;
  }

  /** The document that is shown. */
  get #doc() {
    return this.context.session.doc;
  }

  /** UTF-16 position from which the hidden tokenizer's tokens are covered. */
  get #coveredFrom() {
    const { isHiding, shown } = this.#state;
    return isHiding && shown < this.#lines.length ? this.#doc.line(this.#lines[shown]).from : Infinity;
  }

  /** @returns {{number: number, from: number, to: number, text: string}|null} */
  get #line() {
    return this.#lines.length ? this.#doc.line(this.#lines[currentStep(this.#state)]) : null;
  }

  get #described() {
    const { catalog } = this.context;
    return this.tokenizers.map(id => ({ id, name: catalog.nameOf(id), letter: catalog.letterOf(id) }));
  }

  /** The session has another text: the editor shows it. */
  #takeText() {
    this.#lines = linesWithText(this.#doc);
    this.#answer = null;
    if (this.isStarted) this.text.doc = this.#doc;
  }

  #openText() {
    const { text } = this.#state;
    this.context.session.setText(text ? this.#texts[text - 1] : this.#lab.text);
  }

  /** The list of texts changed: the text that is shown stays if it is still there. */
  #takeList() {
    const { text } = this.#state;
    const shown = this.context.session.text;
    const at = text ? this.#texts.indexOf(shown) + 1 : 0;
    this.#state = reduce(this.#state, { type: 'texts', steps: this.#steps(), ...(at || !text ? { text: at } : {}) });
    if (text && !at) this.#openText();
    if (this.#dialog.isOpen) this.#dialog.draw(this.#texts, this.#own, this.#state.text);
  }

  /** @param {import('./presenter_state.js').Action} action */
  #do(action) {
    const before = this.#state;
    const state = reduce(before, action);
    if (state === before) return;
    this.#state = state;
    if (state.text !== before.text) this.#openText();
    this.#draw();
    this.#scroll();
    this.#announce(state.text === before.text ? this.#revealedWords(before, state) : '');
  }

  /** @param {number} text */
  #goTo(text) {
    const { steps } = this.#state;
    this.#state = { ...this.#state, text: Math.min(text, steps.length - 1), shown: 0 };
    this.#openText();
    this.#draw();
    this.#scroll();
    this.#announce('');
  }

  /** Draws all that the state and the answer say. @param {boolean} [isNew] whether the lanes may be other ones */
  #draw(isNew = true) {
    if (!this.isActive) return;
    const tokenizers = this.#described;
    const answer = this.#current;
    const hidden = hiddenOf(this.#state, this.tokenizers);
    this.#head.draw(
      tokenizers.map((tokenizer, n) => ({ ...tokenizer, result: answer?.results[n] ?? null })),
      { hidden, isHiding: this.#state.isHiding, isRevealed: isRevealed(this.#state) },
    );
    this.#foot.draw(this.#footOf(tokenizers));
    this.#marks.show({
      tokens: answer?.tokens ?? [],
      letters: tokenizers.map(({ letter }) => letter),
      hidden: hidden === null ? -1 : this.tokenizers.indexOf(hidden),
      from: this.#coveredFrom,
      current: this.#line,
    });
    if (isNew && answer) this.redraw(answer);
    this.#drawEmpty();
    setText(this.#summary, this.#lineWords());
    this.context.router.replace(this.owner, this.#params);
  }

  /** The answer, if it is that of the tokenizers and the text that are shown. */
  get #current() {
    const answer = this.#answer;
    return answer?.tokenizers.join('\n') === this.tokenizers.join('\n') ? answer : null;
  }

  get #params() {
    const from = this.#from && { from: this.#from };
    return new URLSearchParams({ present: '1', ...from, ...paramsOf(this.#state) });
  }

  /** @param {{letter: string}[]} tokenizers */
  #footOf(tokenizers) {
    const { steps, text, shown, isHiding } = this.#state;
    const next = reduce(this.#state, { type: 'next' });
    const isCovered = isHiding && shown < steps[text];
    const isNextText = next.text !== text;
    const onward = isNextText ? 'Next text' : `Line ${next.shown + 1}`;
    return {
      labels: {
        next: isCovered ? `Reveal line ${shown + 1}` : next === this.#state ? 'End of the list' : onward,
        back: 'Back',
        cover: 'Cover all',
        leave: 'Leave',
      },
      canGoOn: next !== this.#state,
      canGoBack: reduce(this.#state, { type: 'back' }) !== this.#state,
      letters: tokenizers.map(({ letter }) => letter),
      place: `Text ${text + 1} of ${steps.length}`,
      list: 'Prepared texts',
    };
  }

  #drawEmpty() {
    const { text, steps } = this.#state;
    this.#empty.hidden = steps[text] > 0;
    const next = text + 1 < steps.length ? ', or PgDn for the next text' : '';
    setText(this.#empty, `This text is empty. Press Esc to type one${next}.`);
  }

  /** The current line for assistive tools, which cannot read what is drawn. */
  #lineWords() {
    const line = this.#line;
    if (!line) return '';
    const { steps, text } = this.#state;
    return `Line ${currentStep(this.#state) + 1} of ${steps[text]}. ${this.#countWords(line)}`;
  }

  /** "BERT base, uncased: 15 tokens. GPT-2: hidden." @param {{from: number, to: number}} line */
  #countWords(line) {
    const answer = this.#current;
    const isCovered = line.from >= this.#coveredFrom;
    if (!answer) return '';
    return this.#described
      .map(({ id, name }, n) => {
        const isHidden = isCovered && id === this.#hidden;
        return `${name}: ${isHidden ? 'hidden' : plural(countInLine(answer.tokens[n], line), 'token')}.`;
      })
      .join(' ');
  }

  /**
   * What was uncovered by a step. @param {import('./presenter_state.js').State} before
   * @param {import('./presenter_state.js').State} state
   */
  #revealedWords(before, { shown }) {
    if (!before.isHiding || shown !== before.shown + 1) return '';
    return `Line ${before.shown + 1} revealed. ${this.#countWords(this.#doc.line(this.#lines[before.shown]))} `;
  }

  /** @param {string} lead before the current line */
  #announce(lead) {
    const { steps, text } = this.#state;
    const line = this.#line;
    if (!line) this.context.status.announce(`${lead}Text ${text + 1} of ${steps.length} is empty.`);
    else if (lead && isRevealed(this.#state)) this.context.status.announce(lead.trim());
    else this.context.status.announce(`${lead}Line ${currentStep(this.#state) + 1}: ${line.text.slice(0, MOST_SHOWN)}`);
  }

  #scroll() {
    const line = this.#line;
    if (line) this.text.bringIntoView(line.from, Math.min(line.to, line.from + MOST_SHOWN));
  }

  /** The text of the lab changed: a file was dropped, or a sample chosen. */
  #takeOwn() {
    this.#state = reduce(this.#state, { type: 'texts', steps: this.#steps() });
    if (this.#state.text === 0) this.#openText();
    this.#draw();
  }

  #fit() {
    this.#body.classList.toggle('wide-counts', this.#doc.length >= MOST_SHOWN);
    if (this.isStarted) this.text.relayOut();
  }

  /** @param {-1|1} by */
  #resize(by) {
    if (this.#stage.resize(by)) this.#scroll();
  }
}
