/**
 * What the normalizer removed and added in the viewport: asked for when the typing or scrolling pauses, with some text
 * around it, because what is around a character can decide what becomes of it.
 */
import { changes } from '../../../api/explain.js';
import { FOLLOW_MS } from '../../../app/ask_while_open.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { ChangeLanes } from '../../../editor/change_lanes.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { windowOf } from '../changes_window.js';
import { listen } from '../../../ui/dom.js';

export class NormalizerPanel extends AskingPanel {
  #text;
  #lanes = new ChangeLanes();
  /** @type {import('../selection.js').InspectAnswer|null} */
  #answer = null;
  /** The part of the text whose changes are known. @type {import('../changes_window.js').Window|null} */
  #known = null;
  element = new ToggleSwitch();

  /** @param {import('../../../editor/token_text.js').TokenText} text */
  constructor(text) {
    super();
    this.#text = text;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.element.label = 'Normalizer changes';
    this.element.name = 'Show normalizer changes';
    this.#text.addOverlay(this.#lanes);
    listen(this.element, 'valuechange', shown => context.settings.set({ 'inspect.showChanges': shown }));
    this.#text.addEventListener('scrolled', () => this.#onScroll());
    this.#apply();
  }

  /** @param {import('../selection.js').InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (!isSettled) return; // what is shown moves along with the text
    if (!answer || answer.tokenizer !== this.#answer?.tokenizer) this.#forget();
    this.#answer = answer;
    this.#known = null;
    if (answer && this.#lanes.on) this.#ask(0);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (['inspect.showChanges', 'active', 'entries'].some(name => changed.has(name))) this.#apply();
  }

  #apply() {
    const { settings, catalog } = this.context;
    const active = settings.get('active');
    const isShown = settings.get('inspect.showChanges');
    const stages = catalog.entry(active)?.changing_stages ?? [];
    this.element.checked = isShown;
    const names = stages.join(' and the ') || 'normalizer';
    const verbs = stages.length > 1 ? 'drop and put' : 'drops and puts';
    this.element.hint = `What the ${names} ${verbs} in, in lanes under the text (l)`;
    this.#lanes.room = stages.length > 0 && isShown;
    if (!this.#lanes.on) this.#forget();
    this.#text.relayOut();
    if (this.#lanes.on && this.#answer?.tokenizer === active && !this.#known) this.#ask(0);
  }

  #forget() {
    this.asking.stop();
    this.#known = null;
    this.#lanes.changes = [];
  }

  /** Whether the answer is of the text as it is. */
  get #isCurrent() {
    return this.#answer?.version === this.context.session.version;
  }

  #onScroll() {
    if (!this.#lanes.on || !this.#known || !this.#isCurrent) return;
    const { from, to } = this.#text.shown;
    if (from < this.#known.from || to > this.#known.to) this.#ask(FOLLOW_MS);
  }

  /** @param {number} waitMs */
  #ask(waitMs) {
    if (!this.#answer) return;
    const { tokenizer, text } = this.#answer;
    const { settings, session, status } = this.context;
    const { version } = session;
    this.asking.ask({
      waitMs,
      ask: async signal => {
        const part = windowOf(this.#text.shown, text);
        const found = await changes(tokenizer, text.slice(part.start, part.end), settings.get('specials'), signal);
        return { part, found };
      },
      show: ({ part, found }) => {
        if (version !== session.version) return null;
        this.#known = part;
        this.#lanes.changes = part.own(found.changes);
        return this.#text.drawn();
      },
      showProblem: error => {
        if (!waitMs) status.showError(error);
      },
    });
  }
}
