/** A card for each tokenizer in use: its counts beside those of the baseline. Hidden ones keep their last count. */
import { specialName } from '../../../text/unknown_tokens.js';
import { Panel } from '../../../app/panel.js';
import { FIRST_CHOICE } from '../../../app/state/shared_settings.js';
import { actionButton, listen } from '../../../ui/dom.js';
import { CompareCards } from '../compare_cards.js';
import { compared } from '../settings.js';

/**
 * @typedef {import('../panes.js').CompareAnswer} CompareAnswer
 * @typedef {import('../../../text/figures.js').Result} Result
 */

export class CardsPanel extends Panel {
  /** @type {CompareAnswer|null} */
  #answer = null;
  /**
   * The last count of each tokenizer, with what it was counted of.
   * @type {Map<string, {version: string, result: Result}>}
   */
  #counted = new Map();
  element = new CompareCards();
  showsEmpty = true;
  /** Compares two tokenizers that everybody knows. */
  preset = actionButton('BERT and GPT-2', () => this.context.dialog.use(FIRST_CHOICE), {
    class: 'small-chip',
    title: 'Compare these two',
    'data-role': 'preset',
  });

  /** @param {(id: string) => void} toggle hides or shows a tokenizer */
  constructor(toggle) {
    super();
    listen(this.element, 'togglelane', toggle);
    listen(this.element, 'baseline', id => this.context.settings.set({ 'compare.baseline': id }));
  }

  /** @param {CompareAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (answer && isSettled) return;
    this.#answer = answer;
    if (answer) {
      answer.tokenizers.forEach((id, n) =>
        this.#counted.set(id, { version: this.#versionOf(id), result: answer.results[n] }),
      );
      this.context.activity.track(this.#learnAdded(answer));
    }
    this.draw();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (['compare.baseline', 'chosen', 'compare.hidden', 'entries'].some(name => changed.has(name))) this.draw();
  }

  draw() {
    const { settings, catalog, vocabulary } = this.context;
    const answer = this.#answer;
    const shown = compared(settings);
    const hidden = settings.get('compare.hidden');
    const chosen = settings.get('chosen');
    const wanted = settings.get('compare.baseline');
    const baseline = shown.includes(wanted) ? wanted : shown[0];
    this.preset.hidden = FIRST_CHOICE.every(id => chosen.includes(id)) || !FIRST_CHOICE.every(id => catalog.entry(id));
    this.element.cards = chosen.map(id => {
      const entry = catalog.entry(id);
      const n = answer ? answer.tokenizers.indexOf(id) : -1;
      const added = answer?.tokens[n]
        ? addedIds(answer.tokens[n]).map(token => specialName(entry, token) ?? vocabulary.known(id, token)?.text ?? '…')
        : [];
      return {
        id,
        name: catalog.nameOf(id),
        letter: catalog.letterOf(id),
        family: entry?.family ?? '',
        vocabSize: entry?.vocab_size ?? null,
        baseline: id === baseline,
        hidden: hidden.includes(id),
        result: answer?.results[n] ?? this.#earlier(id),
        added,
      };
    });
  }

  /**
   * The count of a hidden tokenizer, if it is of this text with these options.
   * @param {string} id @returns {Result|null}
   */
  #earlier(id) {
    const counted = this.#counted.get(id);
    const isHidden = this.context.settings.get('compare.hidden').includes(id);
    return isHidden && counted?.version === this.#versionOf(id) ? counted.result : null;
  }

  /** @param {string} id */
  #versionOf(id) {
    const { session, settings, catalog } = this.context;
    const options = [settings.get('addSpecialTokens'), settings.get('specials')];
    return [session.version, ...options, catalog.revisionOf(id)].join(' ');
  }

  /** @param {CompareAnswer} answer */
  async #learnAdded({ tokenizers, tokens }) {
    try {
      await Promise.all(
        tokenizers.map((id, n) => {
          const entry = this.context.catalog.entry(id);
          const ids = addedIds(tokens[n]).filter(token => !specialName(entry, token));
          return ids.length ? this.context.vocabulary.entries(id, ids) : null;
        }),
      );
    } catch (error) {
      this.context.status.showError(error);
    }
    this.draw();
  }
}

/**
 * The ids of the tokens that the postprocessor added.
 * @param {import('../../../text/token_spans.js').TokenSpans} tokens
 */
const addedIds = tokens => [...tokens.leading, ...tokens.trailing].map(i => tokens.ids.at(i));
