/**
 * What is around the chosen token: in the text (its other places, split characters) and in the vocabulary (neighbours).
 */
import { vocabularyToken } from '../../../api/vocabulary.js';
import { InThisText } from '../in_this_text.js';
import { TabList } from '../../../ui/tab_list.js';
import { TokenNeighbours } from '../token_neighbours.js';
import { h, listen } from '../../../ui/dom.js';
import { nextPlace, nextSplit, splitCharacters } from '../in_text.js';
import { Latest } from '../../../util/latest.js';
import { delay } from '../../../text/timing.js';

const FOLLOW_MS = 150;
const BESIDE = 6; // ids on each side

export class Surroundings {
  #lab;
  #choose;
  #inText = new InThisText();
  #neighbours = new TokenNeighbours();
  #tabs = new TabList();
  #asking = new Latest();
  #answer = null;
  #followed = null;
  #token = -1;

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {(token: number) => void} choose goes to a token
   */
  constructor(lab, choose) {
    this.#lab = lab;
    this.#choose = choose;
  }

  /**
   * @param {HTMLElement[]} elements what stands on the tab of the token
   * @returns {HTMLElement[]} the tabs and their panels
   */
  around(...elements) {
    this.panels = [h('div', {}, ...elements, this.#inText), h('div', {}, this.#neighbours)];
    return [this.#tabs, ...this.panels];
  }

  /** Once it is in the page. */
  start() {
    this.#tabs.ariaLabel = 'About the token';
    this.#tabs.tabs = ['Token', 'Neighbours'].map((label, n) => ({
      value: label.toLowerCase(),
      label,
      panel: this.panels[n],
    }));
    listen(this.#tabs, 'valuechange', () => this.#draw(0));
    listen(this.#inText, 'nextplace', by => this.#choose(nextPlace(this.#answer.tokens, this.#token, by)));
    listen(this.#inText, 'nextsplit', character => this.#goToSplit(character));
    listen(this.#neighbours, 'opentoken', id => {
      this.#lab.go('vocabulary', { q: String(id), mode: 'ids' });
    });
    this.#draw(0);
  }

  /** @param {Object|null} answer what Inspect shows, when the typing pauses */
  async follow(answer) {
    this.#followed = answer;
    const found = answer ? await splitCharacters(answer.tokens, String(answer.text)) : { characters: [], more: false };
    if (!found || this.#followed !== answer) return; // another answer is followed by now, or will be
    const { characters, more } = found;
    this.#inText.showSplit({
      characters: characters.map(({ character, tokens }) => ({
        character,
        tokens: tokens.map(token => answer.tokens.ids.at(token)),
      })),
      more,
    });
  }

  /** @param {Object|null} answer what Inspect shows @param {number} token of it; less than 0: none */
  show(answer, token) {
    this.#answer = token < 0 ? null : answer;
    this.#token = token;
    this.#inText.showToken(this.#answer ? this.#answer.tokens.occurrences(this.#answer.tokens.ids.at(token)) : null);
    this.#draw(FOLLOW_MS);
  }

  #goToSplit(character) {
    const answer = this.#answer;
    this.#lab.activity.track(
      nextSplit(answer.tokens, String(answer.text), character, this.#token).then(found => {
        if (found >= 0 && this.#answer === answer) this.#choose(found);
      }),
    );
  }

  #draw(wait) {
    this.#asking.stop();
    if (this.#tabs.value !== 'neighbours') return;
    const answer = this.#answer;
    if (!answer) {
      this.#neighbours.show(null);
      return;
    }
    const { tokenizer, tokens } = answer;
    const id = tokens.ids.at(this.#token);
    this.#lab.activity.track(
      this.#asking
        .run(async signal => {
          if (wait) await delay(wait, signal);
          const near = await this.#near(tokenizer, id);
          if (signal.aborted) return;
          if (this.#lab.state.entry(tokenizer)?.source === 'plug-in') {
            this.#neighbours.show({
              id,
              near,
              detail: null,
              problem: 'More is known of the lab’s own tokenizers alone.',
            });
            return;
          }
          this.#neighbours.show({ id, near, detail: null });
          const detail = await vocabularyToken(tokenizer, id, signal);
          this.#neighbours.show({ id, near, detail });
        })
        .catch(error => this.#neighbours.show({ id, near: [], detail: null, problem: error.message })),
    );
  }

  /** Entries with ids around one. Where there are holes among them, one by one. */
  async #near(tokenizer, id) {
    const { vocabulary, state } = this.#lab;
    const last = (state.entry(tokenizer)?.vocab_size ?? id + 1) - 1;
    const from = Math.max(0, id - BESIDE);
    const ids = Array.from({ length: Math.min(last, id + BESIDE) - from + 1 }, (_, n) => from + n);
    try {
      await vocabulary.entries(tokenizer, ids);
    } catch {
      await Promise.allSettled(ids.map(one => vocabulary.entries(tokenizer, [one])));
    }
    return ids.map(one => vocabulary.known(tokenizer, one)).filter(Boolean);
  }
}
