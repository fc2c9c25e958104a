/**
 * The line above the text: says what to do, and offers sample texts. The chip of the sample that is the text is
 * pressed. The prompt leaves when the text is the user's own, and returns when it is empty; the row keeps its height.
 *
 * The chips are one stop of Tab; arrow keys move between them. ARIA pattern: toolbar.
 *
 * Gets `prompt` by property and follows the text after `start`.
 */
import { LabElement } from '../ui/element.js';
import { MenuButton } from '../ui/menu_button.js';
import { roving } from '../ui/roving.js';
import { actionButton, all, h, setText } from '../ui/dom.js';
import { SAMPLES, sampleOf } from '../text/samples.js';
import { keyParts } from './commands/command.js';

/** The samples that have a chip of their own; the others are in the menu. */
const MOST_CHIPS = 4;

/** @typedef {typeof SAMPLES[number]} Sample */
export class SampleChips extends LabElement {
  #prompt = h('p', { class: 'invitation-words' });
  #chips = h('div', { class: 'sample-chips', role: 'toolbar', 'aria-label': 'Sample texts' });
  #stopAt = roving(this.#chips, '.small-chip, menu-button > .button');
  #more = new MenuButton();
  /** The sample that is shown; null: a text of the user's own. @type {Sample|null|undefined} */
  #shown = undefined;
  /** @type {Pick<import('./context.js').Context, 'session'|'openFile'>} */
  #context;

  render() {
    this.append(this.#prompt, this.#chips);
  }

  /** @param {string} prompt what to do, before the chips */
  set prompt(prompt) {
    setText(this.#prompt, prompt);
  }

  /**
   * Follows the text, and changes it when a sample is chosen.
   * @param {Pick<import('./context.js').Context, 'session'|'openFile'>} context
   * @param {AbortSignal} signal ends it
   */
  start(context, signal) {
    this.#context = context;
    const { session, openFile } = context;
    /** @param {Sample} sample */
    const choose = sample => this.#choose(sample);
    this.#more.label = 'More…';
    this.#more.hook = 'more-samples';
    this.#more.panel.append(
      ...SAMPLES.slice(MOST_CHIPS).map(sample =>
        ofSample(
          sample,
          this.#more.item(sample.label, () => choose(sample)),
        ),
      ),
      this.#more.item('Open a file…', openFile, { hook: 'open-file', keys: keyParts('Mod+O') }),
    );
    this.#chips.replaceChildren(
      ...SAMPLES.slice(0, MOST_CHIPS).map(sample =>
        ofSample(
          sample,
          actionButton(sample.label, () => choose(sample), { class: 'small-chip' }),
        ),
      ),
      this.#more,
    );
    session.addEventListener('edit', () => this.#draw(), { signal });
    this.#draw();
  }

  /** @param {Sample} sample */
  #choose({ text }) {
    this.#context.session.setText(text);
  }

  #draw() {
    const { doc } = this.#context.session;
    const shown = sampleOf(doc) ?? null;
    this.#prompt.hidden = doc.length > 0 && !shown;
    if (shown === this.#shown) return; // as at nearly every key
    this.#shown = shown;
    for (const button of all(this, '[data-sample]')) button.ariaPressed = String(button.dataset.sample === shown?.id);
    this.#stopAt();
    this.#more.toggleAttribute('data-chosen', shown !== null && SAMPLES.indexOf(shown) >= MOST_CHIPS);
  }
}

/** @param {{id: string}} sample @param {HTMLElement} button */
function ofSample({ id }, button) {
  button.dataset.sample = id;
  return button;
}

customElements.define('text-invitation', SampleChips);
