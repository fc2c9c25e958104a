/**
 * The stages of the tokenizer, and what the text looks like after one of them: asked for when a stage is opened, and
 * again when the text changes while it is open.
 */
import { trace } from '../../../api/explain.js';
import { AskWhileOpen } from '../../../app/ask_while_open.js';
import { Panel } from '../../../app/panel.js';
import { PipelineStrip } from '../pipeline_strip.js';
import { StageView } from '../stage_view.js';
import { untracedWords } from '../untraced.js';
import { h, listen } from '../../../ui/dom.js';
import { count, problemWords } from '../../../util/format.js';
import { windowAround } from '../../../text/text_window.js';

const FOLLOW_MS = 150;
const PART = 2000; // UTF-16 units that are shown at once

export class StagesPanel extends Panel {
  #text;
  #strip = new PipelineStrip();
  #view = new StageView();
  #stage = null;
  #asking;
  #answer = null;
  element = h('div', { class: 'pipeline' }, this.#strip, this.#view);

  /** @param {import('../../../editor/token_text.js').TokenText} text */
  constructor(text) {
    super();
    this.#text = text;
  }

  mount(context) {
    super.mount(context);
    this.#asking = new AskWhileOpen(context.activity);
    for (const part of [this.#strip, this.#view]) listen(part, 'stage', stage => this.open(stage));
    this.#drawStrip();
  }

  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!isSettled) return;
    this.#drawStrip();
    if (answer) this.#measureRoundTrip(answer);
    if (this.#stage) this.#ask(FOLLOW_MS);
  }

  onState(changed) {
    if (['active', 'addSpecialTokens', 'specials', 'entries'].some(name => changed.has(name))) this.#drawStrip();
  }

  destroy() {
    this.#asking?.stop();
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
    this.#asking.stop();
    this.#setStage(null);
    this.#view.show(null);
    if (stage && isFocused) this.#strip.focusStage(stage);
    return stage !== null;
  }

  #setStage(stage) {
    this.#stage = stage;
    this.#strip.open = stage;
  }

  #drawStrip() {
    const { catalog, settings } = this.context;
    const entry = catalog.entry(settings.get('active'));
    if (!entry) return;
    this.#strip.show(entry.stages, this.#answer?.tokenizer === entry.id ? this.#answer.result : null, entry.lossy);
  }

  /** Of a long text it is not known with the tokens: all of it has to be decoded. */
  #measureRoundTrip({ result, roundTrip }) {
    if (result.round_trip !== null || !roundTrip) return;
    const show = exact => {
      if (!exact) return;
      result.round_trip = exact[0];
      if (this.#answer?.result === result) this.#drawStrip();
    };
    this.context.activity.track(roundTrip().then(show, () => {})); // the text was closed: then it is asked again
  }

  #ask(waitMs) {
    const answer = this.#answer;
    const stage = this.#stage;
    const { catalog, settings, vocabulary } = this.context;
    this.#asking.stop();
    if (!answer) {
      this.#view.show(stage, { words: 'There is no text that was encoded.' });
      return;
    }
    const { tokenizer, text } = answer;
    const untraced = untracedWords(catalog.entry(tokenizer));
    if (untraced) {
      this.#view.show(stage, { words: untraced });
      return;
    }
    if (!waitMs) this.#view.show(stage);
    this.#asking.ask({
      waitMs,
      ask: async signal => {
        const part = windowAround(text, Math.min(this.#text.caret, text.length), PART);
        const found = await trace(tokenizer, part.text, settings.get('specials'), signal);
        const ids = found.tokens.map(token => token.id);
        await vocabulary.entries(tokenizer, ids);
        return { found, part };
      },
      show: ({ found, part }) =>
        this.#view.show(stage, {
          trace: found,
          part: part.whole ? '' : `of the ${count(part.text.length)} characters around the caret`,
          adds: settings.get('addSpecialTokens'),
          entryOf: id => vocabulary.known(tokenizer, id),
        }),
      showProblem: error => this.#view.show(stage, { words: problemWords(error) }),
    });
  }
}
