/**
 * The stages of the tokenizer, folded until they are asked for, and what the text looks like after one of them: asked
 * for when a stage is opened, and again when the text changes while it is open.
 */
import { decode } from '../../../api/encoding.js';
import { trace } from '../../../api/explain.js';
import { FOLLOW_MS } from '../../../app/ask_while_open.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { PipelineStrip } from '../pipeline_strip.js';
import { StageView } from '../stage_view.js';
import { untracedWords } from '../untraced.js';
import { actionButton, h, listen, setText } from '../../../ui/dom.js';
import { ICONS, icon } from '../../../ui/icons.js';
import { count, problemWords } from '../../../util/format.js';
import { windowAround } from '../../../text/text_window.js';

const PART = 2000; // UTF-16 units that are shown at once

/** @typedef {import('../selection.js').InspectAnswer} InspectAnswer */

export class StagesPanel extends AskingPanel {
  #text;
  #strip = new PipelineStrip();
  #view = new StageView();
  /** @type {string|null} */
  #stage = null;
  /** @type {InspectAnswer|null} */
  #answer = null;
  /** The result whose round trip was asked for. @type {InspectAnswer['result']|null} */
  #measured = null;
  #label = h('span');
  element = h('div', { class: 'pipeline', id: 'steps', hidden: true }, this.#strip, this.#view);
  /** Shows and folds the steps. */
  toggle = actionButton(
    [this.#label, icon(ICONS.down, 16)],
    () => this.context.settings.set({ 'inspect.showSteps': !this.#isShown }),
    {
      class: 'button framed folds',
      'aria-expanded': 'false',
      'aria-controls': this.element.id,
      title: 'What each stage of the tokenizer makes of the text (p)',
    },
  );

  /** @param {import('../../../editor/token_text.js').TokenText} text */
  constructor(text) {
    super();
    this.#text = text;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    for (const part of [this.#strip, this.#view]) listen(part, 'stage', stage => this.open(stage));
    this.#fold();
  }

  get #isShown() {
    return this.context.settings.get('inspect.showSteps');
  }

  #fold() {
    const isShown = this.#isShown;
    this.toggle.ariaExpanded = String(isShown);
    setText(this.#label, isShown ? 'Hide steps' : 'Show steps');
    if (!isShown) this.close();
    this.element.hidden = !isShown;
    if (isShown) this.#drawStrip();
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!isSettled || !this.#isShown) return;
    this.#drawStrip();
    if (this.#stage) this.#ask(FOLLOW_MS);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (changed.has('inspect.showSteps')) this.#fold();
    else if (['active', 'addSpecialTokens', 'specials', 'entries'].some(name => changed.has(name))) this.#drawStrip();
  }

  /** @param {string|null} stage */
  open(stage) {
    if (!stage) {
      this.close();
      return;
    }
    this.#setStage(stage);
    this.#ask(0);
  }

  /** @returns {boolean} whether there was something to close */
  close() {
    const stage = this.#stage;
    const isFocused = this.#view.contains(document.activeElement);
    this.asking.stop();
    this.#setStage(null);
    this.#view.show(null);
    if (stage && isFocused) this.#strip.focusStage(stage);
    return stage !== null;
  }

  /** @param {string|null} stage */
  #setStage(stage) {
    this.#stage = stage;
    this.#strip.open = stage;
  }

  #drawStrip() {
    const { catalog, settings } = this.context;
    const entry = catalog.entry(settings.get('active'));
    if (!entry?.stages || !this.#isShown) return;
    this.#strip.show(entry.stages, this.#answer?.tokenizer === entry.id ? this.#answer.result : null, entry.lossy);
    if (this.#answer) this.#measureRoundTrip(this.#answer);
  }

  /** Of a long text it is not known with the tokens: all of it has to be decoded. @param {InspectAnswer} answer */
  #measureRoundTrip({ result, roundTrip }) {
    if (result.round_trip !== null || !roundTrip || this.#measured === result) return;
    this.#measured = result;
    /** @param {boolean[]|null} exact */
    const show = exact => {
      if (!exact) return;
      result.round_trip = exact[0];
      if (this.#answer?.result === result) this.#drawStrip();
    };
    this.context.activity.track(roundTrip().then(show, () => {})); // the text was closed: then it is asked again
  }

  /** @param {number} waitMs */
  #ask(waitMs) {
    const answer = this.#answer;
    const stage = this.#stage;
    const { catalog } = this.context;
    this.asking.stop();
    if (!answer) {
      this.#view.show(stage, { message: 'There is no text that was encoded.' });
      return;
    }
    const { tokenizer, text } = answer;
    const untraced = untracedWords(catalog.entry(tokenizer));
    if (untraced) {
      this.#view.show(stage, { message: untraced });
      return;
    }
    if (!waitMs) this.#view.show(stage);
    this.asking.ask({
      waitMs,
      ask: async signal => {
        const part = windowAround(text, Math.min(this.#text.caret, text.length), PART);
        return this.#shown(stage, tokenizer, part, signal);
      },
      show: shown => this.#view.show(stage, shown),
      showProblem: error => this.#view.show(stage, { message: problemWords(error) }),
    });
  }

  /**
   * @param {string|null} stage @param {string} tokenizer @param {ReturnType<typeof windowAround>} part
   * @param {AbortSignal} signal
   * @returns {Promise<import('../stage_view.js').StageShown>} what a stage makes of a part of the text
   */
  async #shown(stage, tokenizer, part, signal) {
    const { settings, vocabulary, catalog } = this.context;
    const found = await trace(tokenizer, part.text, settings.get('specials'), signal);
    const ids = found.tokens.map(token => token.id);
    const shown = {
      trace: found,
      text: part.text,
      part: part.whole ? '' : `of the ${count(part.text.length)} characters around the caret`,
      adds: settings.get('addSpecialTokens'),
      entryOf: (/** @type {number} */ id) => vocabulary.known(tokenizer, id),
    };
    if (stage === 'decoder') {
      const own = found.tokens.filter(token => token.span).map(token => token.id);
      const { text: decoded } = await decode(tokenizer, own, signal);
      return { ...shown, decoded, lossy: catalog.entry(tokenizer)?.lossy ?? null };
    }
    await vocabulary.entries(tokenizer, ids);
    return shown;
  }
}
