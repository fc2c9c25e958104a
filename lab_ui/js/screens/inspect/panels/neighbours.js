/**
 * What is around the chosen token: in the text (its other places, split characters) and in the vocabulary (neighbours).
 */
import { vocabularyToken } from '../../../api/vocabulary.js';
import { FOLLOW_MS } from '../../../app/ask_while_open.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { InThisText } from '../in_this_text.js';
import { TabList } from '../../../ui/tab_list.js';
import { TokenNeighbours } from '../token_neighbours.js';
import { h, listen } from '../../../ui/dom.js';
import { nextPlace, nextSplit, splitCharacters } from '../in_text.js';

const BESIDE = 6; // ids on each side

/** @typedef {import('../selection.js').InspectAnswer} InspectAnswer */

export class NeighboursPanel extends AskingPanel {
  #choose;
  #inText = new InThisText();
  #neighbours = new TokenNeighbours();
  #tabs = new TabList();
  /** @type {InspectAnswer|null} */
  #answer = null;
  /** The answer whose split characters are listed. @type {InspectAnswer|null} */
  #settled = null;
  #token = -1;

  /**
   * @param {(token: number) => void} choose goes to a token
   * @param {...HTMLElement} elements what else is on the tab of the token
   */
  constructor(choose, ...elements) {
    super();
    this.#choose = choose;
    this.panels = [h('div', {}, ...elements, this.#inText), h('div', {}, this.#neighbours)];
  }

  /** The tabs and their panels. */
  get elements() {
    return [this.#tabs, ...this.panels];
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#tabs.ariaLabel = 'About the token';
    this.#tabs.tabs = ['Token', 'Neighbours'].map((label, n) => ({
      value: label.toLowerCase(),
      label,
      panel: this.panels[n],
    }));
    listen(this.#tabs, 'valuechange', () => this.#draw(0));
    listen(this.#inText, 'nextplace', by => {
      if (this.#answer) this.#choose(nextPlace(this.#answer.tokens, this.#token, by));
    });
    listen(this.#inText, 'nextsplit', character => this.#goToSplit(character));
    listen(this.#neighbours, 'opentoken', id => context.router.go('vocabulary', { q: String(id), mode: 'ids' }));
    this.#draw(0);
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (isSettled) this.context.activity.track(this.#showSplit(answer));
  }

  /** @param {number} token */
  onSelection(token) {
    const answer = token < 0 ? null : this.#answer;
    this.#token = answer ? token : -1;
    this.#inText.showToken(answer ? answer.tokens.occurrences(answer.tokens.ids.at(token)) : null);
    this.#draw(FOLLOW_MS);
  }

  /** @param {InspectAnswer|null} answer */
  async #showSplit(answer) {
    this.#settled = answer;
    if (!answer) {
      this.#inText.showSplit({ characters: [], more: false });
      return;
    }
    const found = await splitCharacters(answer.tokens, String(answer.text));
    if (!found || this.#settled !== answer) return; // another answer came, or will
    const { characters, more } = found;
    this.#inText.showSplit({
      characters: characters.map(({ character, tokens }) => ({
        character,
        tokens: tokens.map(token => answer.tokens.ids.at(token)),
      })),
      more,
    });
  }

  /** @param {string} character */
  #goToSplit(character) {
    const answer = this.#answer;
    if (!answer) return;
    this.context.activity.track(
      nextSplit(answer.tokens, String(answer.text), character, this.#token).then(found => {
        if (found >= 0 && this.#answer === answer) this.#choose(found);
      }),
    );
  }

  /** @param {number} waitMs */
  #draw(waitMs) {
    this.asking.stop();
    if (this.#tabs.value !== 'neighbours') return;
    const { catalog } = this.context;
    const answer = this.#token < 0 ? null : this.#answer;
    if (!answer) {
      this.#neighbours.show(null);
      return;
    }
    const { tokenizer, tokens } = answer;
    const id = tokens.ids.at(this.#token);
    this.asking.ask({
      waitMs,
      ask: async signal => {
        const near = await this.#near(tokenizer, id);
        if (signal.aborted) return null;
        if (catalog.entry(tokenizer)?.source === 'plug-in')
          return { id, near, detail: null, problem: 'Not available for plug-ins.' };
        this.#neighbours.show({ id, near, detail: null });
        return { id, near, detail: await vocabularyToken(tokenizer, id, signal) };
      },
      show: found => this.#neighbours.show(found),
      showProblem: error => this.#neighbours.show({ id, near: [], detail: null, problem: error.message }),
    });
  }

  /**
   * Entries with ids around one. Where there are holes among them, one by one.
   * @param {string} tokenizer @param {number} id
   */
  async #near(tokenizer, id) {
    const { vocabulary, catalog } = this.context;
    const last = (catalog.entry(tokenizer)?.vocab_size ?? id + 1) - 1;
    const from = Math.max(0, id - BESIDE);
    const ids = Array.from({ length: Math.min(last, id + BESIDE) - from + 1 }, (_, n) => from + n);
    try {
      await vocabulary.entries(tokenizer, ids);
    } catch {
      await Promise.allSettled(ids.map(one => vocabulary.entries(tokenizer, [one])));
    }
    return ids.flatMap(one => vocabulary.known(tokenizer, one) ?? []);
  }
}
