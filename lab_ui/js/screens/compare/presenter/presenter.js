/**
 * Presenter mode of Compare: the text for a projector, line by line, with one tokenizer's tokens hidden until their
 * line is reached. The state is `presenter_state.js`, keys are `presenter_commands.js`, what is drawn over the text is
 * `line_marks.js`.
 *
 * It presents a text session of its own. The text of the lab is copied into it and only read, so it keeps its edits,
 * caret and history whatever is presented, and Compare keeps its answer while it is hidden.
 */
import { SESSION_CLIENT } from '../../../api/session_client.js';
import { commandFor } from '../../../app/commands/command.js';
import { EncodedScreen } from '../../../app/encoded_screen.js';
import { PRESENTING_SCREEN } from '../../../app/present.js';
import { TextSession } from '../../../text/session.js';
import { isModalOpen } from '../../../ui/dialog.js';
import { closest, focused, h, listen, setText } from '../../../ui/dom.js';
import { onResize, onTheme } from '../../../ui/element.js';
import { plural } from '../../../util/format.js';
import { lanesOf } from '../lanes.js';
import { compared } from '../settings.js';
import { Spellings } from '../spellings.js';
import { coveredLanes } from './covered_lanes.js';
import { countInLine, countLinesWithText, linesWithText } from './line_counts.js';
import { LineMarks } from './line_marks.js';
import { presentedRows, windowScale } from './presented_rows.js';
import { presenterCommands } from './presenter_commands.js';
import { PresenterFoot } from './presenter_foot.js';
import { PresenterHead } from './presenter_head.js';
import { currentStep, hiddenOf, isRevealed, paramsOf, reduce, stateOf } from './presenter_state.js';
import { SIZES } from './settings.js';
import { TextsDialog } from './texts_dialog.js';

const FIELDS = 'input, textarea, select, [contenteditable=true]';
const MOST_SHOWN = 2000; // UTF-16 units of a line that is scrolled to

export class Presenter extends EncodedScreen {
  #head = new PresenterHead();
  #foot = new PresenterFoot();
  #marks = new LineMarks();
  #dialog = new TextsDialog();
  #summary = h('p', { class: 'visually-hidden', 'data-role': 'line-summary' });
  #empty = h('p', { class: 'presenter-empty', hidden: true });
  #body = h('div', { class: 'presenter-text' }, this.text, this.#empty);
  element = h(
    'section',
    { class: 'presenter', 'aria-label': 'Presentation', tabIndex: -1 },
    this.#head,
    this.#body,
    this.#summary,
    this.#foot,
    this.#dialog,
  );
  /** @type {HTMLElement} what Compare is in */
  #root;
  /** @type {import('../../../text/session.js').TextSession} of the lab */
  #lab;
  #state;
  /** @type {Spellings} */
  #spellings;
  /** Numbers of the lines to walk. @type {number[]} */
  #lines = [];
  /** @type {import('../../../text/session_types.js').Answer|null} of the text that is shown */
  #answer = null;
  #from = '';
  #shownTime = new AbortController();
  #isFullScreen = false;
  /** @type {HTMLElement|null} what had the focus before */
  #focusBefore = null;

  /** @param {HTMLElement} root @param {import('../../../app/context.js').Context} context of Compare */
  mount(root, context) {
    this.#lab = context.session;
    const session = new TextSession({ client: SESSION_CLIENT, track: work => context.activity.track(work) });
    // Before the encoding listens: what it asks for depends on what the editor shows.
    session.addEventListener('edit', () => this.#takeText());
    super.mount(root, { ...context, session });
    this.#spellings = new Spellings(this.context, () => this.text.respell());
    this.#root = root;
    listen(this.#head, 'toggleguess', () => this.#do({ type: 'toggle' }));
    listen(this.#foot, 'act', name => this.#run[name]());
    listen(this.#dialog, 'texts', texts => context.settings.set({ 'compare.texts': texts }));
    listen(this.#dialog, 'restore', () => context.settings.reset(['compare.texts']));
    listen(this.#dialog, 'present', text => this.#goTo(text));
  }

  start() {
    const { nonce } = this.context;
    this.text.start({
      kind: 'lanes',
      nonce,
      label: 'Text',
      rows: lanes => presentedRows(lanes, this.#scale * this.context.settings.get('compare.presenterSize')),
    });
    this.text.addOverlay(this.#marks);
    this.#takeText();
  }

  /** Shows the presentation. @param {URLSearchParams} params of the address @param {AbortSignal} signal */
  activate(params, signal) {
    this.#shownTime = new AbortController();
    this.#from = params.get('from') ?? '';
    document.documentElement.dataset.presenting = 'true';
    this.#focusBefore = focused();
    this.#root.append(this.element); // in the page only while it is shown: a page has one text
    this.element.focus({ preventScroll: true });
    this.#state = stateOf(params, this.#steps(), this.tokenizers.length > 1);
    this.#fit();
    this.#applyPalette();
    this.#openText();
    super.activate(params, signal);
    this.text.whiteSpace = this.context.settings.get('showWhiteSpace');
    this.#follow();
    this.#draw();
    this.#scroll();
    this.#announce('Presentation. ');
  }

  deactivate() {
    this.#shownTime.abort();
    super.deactivate();
    this.#forget();
    if (this.#isFullScreen && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.#isFullScreen = false;
    delete document.documentElement.dataset.presenting;
    this.element.remove();
  }

  destroy() {
    super.destroy();
    this.#spellings.destroy();
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
    if (this.#focusBefore?.checkVisibility()) this.#focusBefore.focus({ preventScroll: true });
    this.#focusBefore = null;
  }

  /** @returns {string[]} ids of the tokenizers that are presented */
  get tokenizers() {
    return compared(this.context.settings);
  }

  get commands() {
    return presenterCommands(this.#described, this.#run);
  }

  wanted() {
    const ids = this.tokenizers;
    return ids.length ? this.wantedOf(ids, ids.length > 1) : null;
  }

  lanes(answer) {
    return coveredLanes(lanesOf(answer, this.context, this.#spellings), this.#hidden, this.#coveredFrom);
  }

  onAnswer(answer, isSettled) {
    if (isSettled && answer) return;
    if (answer) this.#spellings.retry();
    this.#answer = answer;
    this.#draw(false);
  }

  onState(changed) {
    if (!this.isActive) return;
    if (changed.has('compare.presenterSize')) this.#fit();
    if (changed.has('compare.palette')) this.#applyPalette();
    if (changed.has('showWhiteSpace')) this.text.whiteSpace = this.context.settings.get('showWhiteSpace');
    if (changed.has('compare.texts')) this.#takeList();
    this.#draw();
  }

  /** The screen that the presentation was begun on; "": Compare itself. */
  get from() {
    return this.#from;
  }

  /** What keys, buttons and the palette do, by name. */
  #run = {
    next: () => this.#do({ type: 'next' }),
    back: () => this.#do({ type: 'back' }),
    cover: () => this.#do({ type: 'cover' }),
    toggle: () => this.#do({ type: 'toggle' }),
    hide: id => this.#do({ type: 'hide', id, hidden: this.#hidden }),
    leave: () => this.onLeave(),
    fullScreen: () => this.#toggleFullScreen(),
    larger: () => this.#resize(1),
    smaller: () => this.#resize(-1),
    palette: () => this.#changePalette(),
    list: () => this.#dialog.show(this.#texts, this.#own, this.#state.text),
  };

  /** Called when the presentation is to end. */
  onLeave = () => {};

  get #texts() {
    return this.context.settings.get('compare.texts');
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

  get #scale() {
    return windowScale({ width: innerWidth, height: innerHeight });
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
      hidden: this.tokenizers.indexOf(hidden),
      from: this.#coveredFrom,
      current: this.#line,
    });
    if (isNew && answer) this.redraw(answer);
    this.#drawEmpty();
    setText(this.#summary, this.#lineWords());
    this.context.router.replace(PRESENTING_SCREEN, this.#params);
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
      text,
      texts: steps.length,
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

  /** What was uncovered by a step. */
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

  #follow() {
    const { signal } = this.#shownTime;
    const onKey = event => this.#onKey(event);
    // Before the editor and the lab: keys of a clicker work wherever the focus is.
    addEventListener('keydown', onKey, { capture: true, signal });
    onTheme(() => this.#applyPalette(), signal);
    onResize(this.element, () => this.#fit(), signal);
    this.#lab.addEventListener('edit', () => this.#takeOwn(), { signal });
  }

  /** The text of the lab changed: a file was dropped, or a sample chosen. */
  #takeOwn() {
    this.#state = reduce(this.#state, { type: 'texts', steps: this.#steps() });
    if (this.#state.text === 0) this.#openText();
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || altKey || isModalOpen() || closest(event, FIELDS)) return;
    const isCharacter = key.length === 1 && !ctrlKey && !metaKey && key !== ' ';
    if (isCharacter && !this.context.settings.get('singleKeys')) return;
    if ((key === ' ' || key === 'Enter') && closest(event, 'button, a')) return;
    const command = commandFor(this.commands, event);
    // No other letter does anything: what it changes in the lab would not be seen.
    if (!command && !(isCharacter && key !== '?')) return;
    event.preventDefault();
    event.stopPropagation();
    command?.run();
  }

  #fit() {
    this.element.style.setProperty('--px', `${this.#scale}px`);
    this.#body.classList.toggle('wide-counts', this.#doc.length >= MOST_SHOWN);
    if (this.isStarted) this.text.relayOut();
  }

  #resize(by) {
    const { settings } = this.context;
    const size = SIZES[SIZES.indexOf(settings.get('compare.presenterSize')) + by];
    if (!size) return;
    settings.set({ 'compare.presenterSize': size });
    this.#scroll();
  }

  #applyPalette() {
    const palette = this.context.settings.get('compare.palette');
    this.element.dataset.palette = palette === 'theme' ? document.documentElement.dataset.theme : palette;
  }

  #changePalette() {
    const isDark = this.element.dataset.palette === 'dark';
    this.context.settings.set({ 'compare.palette': isDark ? 'light' : 'dark' });
  }

  async #toggleFullScreen() {
    const root = document.documentElement;
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else {
        await root.requestFullscreen();
        this.#isFullScreen = true;
      }
    } catch {
      this.context.status.announce('This window does not allow full screen.');
    }
  }
}
