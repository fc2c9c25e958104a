/**
 * What the normalizer lost and added, for the part of the text in the window: asked for when the typing or scrolling
 * pauses, with some text around it, because what is around a character can decide what becomes of it.
 */
import { changes } from '../../../api/explain.js';
import { ChangeLanes } from '../../../editor/change_lanes.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { windowOf } from '../changes_window.js';
import { listen } from '../../../ui/dom.js';
import { Latest } from '../../../util/latest.js';
import { delay } from '../../../text/timing.js';

const FOLLOW_MS = 120;

export class Changes {
  #lab;
  #text;
  #lanes = new ChangeLanes();
  #asking = new Latest();
  #answer = null;
  #known = null;
  element = new ToggleSwitch();

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {import('../../../editor/token_text.js').TokenText} text
   */
  constructor(lab, text) {
    this.#lab = lab;
    this.#text = text;
  }

  /** Once the text is in the page. */
  start() {
    this.element.label = 'Normalizer changes';
    this.#text.addOverlay(this.#lanes);
    listen(this.element, 'valuechange', showChanges => this.#lab.state.set({ showChanges }));
    this.#text.addEventListener('scrolled', () => this.#onScroll());
    this.apply();
  }

  /** After the state changed. */
  apply() {
    const { state } = this.#lab;
    const stages = state.entry(state.active)?.changing_stages ?? [];
    this.element.checked = state.showChanges;
    this.element.hint = `What the ${stages.join(' and the ') || 'normalizer'} ${stages.length > 1 ? 'drop and put' : 'drops and puts'} in, in lanes under the text (l)`;
    this.#lanes.room = stages.length > 0 && state.showChanges;
    if (!this.#lanes.on) this.#forget();
    this.#text.relayOut();
    if (this.#lanes.on && this.#answer?.tokenizer === state.active && !this.#known) this.#ask(0);
  }

  /** @param {Object|null} answer what Inspect shows now */
  follow(answer) {
    if (answer?.tokenizer !== this.#answer?.tokenizer) this.#forget();
    this.#answer = answer;
    this.#known = null;
    if (!answer) this.#forget();
    else if (this.#lanes.on) this.#ask(0);
  }

  #forget() {
    this.#asking.stop();
    this.#known = null;
    this.#lanes.changes = [];
  }

  #onScroll() {
    if (!this.#lanes.on || !this.#answer || !this.#known || this.#text.changed) return;
    const { from, to } = this.#text.shown;
    if (from < this.#known.from || to > this.#known.to) this.#ask(FOLLOW_MS);
  }

  #ask(wait) {
    const { tokenizer, text } = this.#answer;
    const { version } = this.#text;
    this.#lab.activity.track(
      this.#asking
        .run(async signal => {
          if (wait) await delay(wait, signal);
          const part = windowOf(this.#text.shown, text);
          const found = await changes(tokenizer, text.slice(part.start, part.end), this.#lab.state.specials, signal);
          return { part, found };
        })
        .then(
          told => {
            if (!told || version !== this.#text.version) return;
            this.#known = told.part;
            this.#lanes.changes = told.part.own(told.found.changes);
            return this.#text.drawn();
          },
          error => {
            if (!wait) this.#lab.showError(error);
          },
        ),
    );
  }
}
