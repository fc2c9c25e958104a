/**
 * What the text looks like after a stage: asked for when a stage is opened, and again when the text changes while it is
 * open.
 */
import { trace } from '../../../api/explain.js';
import { PipelineStrip } from '../pipeline_strip.js';
import { StageView } from '../stage_view.js';
import { h, listen } from '../../../ui/dom.js';
import { count, problemWords } from '../../../util/format.js';
import { Latest } from '../../../util/latest.js';
import { windowAround } from '../../../text/text_window.js';
import { delay } from '../../../text/timing.js';

const FOLLOW_MS = 150;
const PART = 2000; // UTF-16 units that are shown at once

export class Stages {
  #lab;
  #text;
  #view = new StageView();
  #stage = null;
  #asking = new Latest();
  #answer = null;
  strip = new PipelineStrip();

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {import('../../../editor/token_text.js').TokenText} text
   */
  constructor(lab, text) {
    this.#lab = lab;
    this.#text = text;
    this.element = h('div', { class: 'pipeline' }, this.strip, this.#view);
    for (const part of [this.strip, this.#view]) listen(part, 'stage', stage => this.open(stage));
  }

  /** @param {Object|null} answer what Inspect shows now */
  follow(answer) {
    this.#answer = answer;
    if (this.#stage) this.#ask(FOLLOW_MS);
  }

  /** @param {string|null} stage */
  open(stage) {
    if (!stage) {
      this.close();
      return;
    }
    this.#stage = this.strip.open = stage;
    this.#ask(0);
  }

  /** @returns {boolean} whether there was something to close */
  close() {
    const stage = this.#stage;
    const inside = this.#view.contains(document.activeElement);
    this.#asking.stop();
    this.#stage = this.strip.open = null;
    this.#view.show(null);
    if (stage && inside) this.strip.focusStage(stage);
    return stage !== null;
  }

  #ask(wait) {
    const answer = this.#answer;
    const stage = this.#stage;
    const { state } = this.#lab;
    this.#asking.stop();
    if (!answer) {
      this.#view.show(stage, { words: 'There is no text that was encoded.' });
      return;
    }
    if (state.entry(answer.tokenizer)?.source === 'plug-in') {
      this.#view.show(stage, {
        words: 'Not traced: only the lab’s own engine tells what its stages do, and this tokenizer is a plug-in.',
      });
      return;
    }
    if (!wait) this.#view.show(stage);
    this.#lab.activity.track(
      this.#asking
        .run(async signal => {
          if (wait) await delay(wait, signal);
          const part = windowAround(answer.text, Math.min(this.#text.caret, answer.text.length), PART);
          const found = await trace(answer.tokenizer, part.text, state.specials, signal);
          await this.#lab.vocabulary.entries(
            answer.tokenizer,
            found.tokens.map(token => token.id),
          );
          return { found, part };
        })
        .then(
          told => {
            if (!told) return;
            const words = told.part.whole ? '' : `of the ${count(told.part.text.length)} characters around the caret`;
            this.#view.show(stage, {
              trace: told.found,
              part: words,
              adds: state.addSpecialTokens,
              entryOf: id => this.#lab.vocabulary.known(answer.tokenizer, id),
            });
          },
          error => this.#view.show(stage, { words: problemWords(error) }),
        ),
    );
  }
}
