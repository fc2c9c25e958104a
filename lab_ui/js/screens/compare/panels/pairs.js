/**
 * What two of the tokenizers have in common, and ids of one as ids of the other: two tabs about the same pair. Asked
 * for only while one of them is looked at.
 */
import { retokenize, tokenizerDiff, vocabularyOverlap } from '../../../api/relations.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { h, listen } from '../../../ui/dom.js';
import { problemWords } from '../../../util/format.js';
import { PairReport } from '../pair_report.js';
import { isSame } from '../../../util/seen.js';

const WAIT_MS = 400; // reading two vocabularies takes a moment: not for every key

export class PairPanel extends AskingPanel {
  #openTab;
  /**
   * The difference of the last pair, which does not depend on the text.
   * @type {{key: unknown[], answer: import('../../../api/schema.d.ts').TokenizerDiff}|null}
   */
  #difference = null;
  /** @type {{[tab: string]: PairReport}} */
  #reports = { transfer: new PairReport(), vocab: new PairReport() };
  elements = {
    transfer: h('div', { class: 'tab-panel' }, this.#reports.transfer),
    vocab: h('div', { class: 'tab-panel' }, this.#reports.vocab),
  };

  /** @param {() => string|null} openTab the tab that is looked at */
  constructor(openTab) {
    super();
    this.#openTab = openTab;
    for (const report of Object.values(this.#reports)) listen(report, 'pair', pair => this.choose(pair));
  }

  /** @param {import('../panes.js').CompareAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (!isSettled) return;
    if (answer) {
      this.draw();
      return;
    }
    this.asking.stop();
    for (const report of Object.values(this.#reports)) report.wait('');
  }

  /** @param {[string, string]} pair ids; both tabs speak of them */
  choose(pair) {
    this.#setChoices();
    for (const report of Object.values(this.#reports)) report.pair = pair;
    this.draw();
  }

  /** Asks again for the tab that is looked at. */
  draw() {
    const { settings, catalog, session } = this.context;
    const tab = this.#openTab() ?? '';
    const report = this.#reports[tab];
    if (!report) return;
    this.#setChoices();
    const [a, b] = report.pair;
    this.asking.stop();
    if (settings.get('chosen').length < 2) {
      report.wait('Two tokenizers are needed.');
      return;
    }
    report.wait('Comparing…');
    const { text } = session;
    const specials = settings.get('specials');
    const names = {
      nameOf: (/** @type {string} */ id) => catalog.nameOf(id),
      letterOf: (/** @type {string} */ id) => catalog.letterOf(id),
    };
    this.asking.ask({
      waitMs: WAIT_MS,
      ask: async signal => {
        const common = vocabularyOverlap(a, b, text, specials, signal);
        if (tab === 'vocab') {
          const [overlap, difference] = await Promise.all([common, this.#differenceOf(a, b, signal)]);
          return () => report.showVocabulary({ report: overlap, difference, ...names });
        }
        const [overlap, transfer] = await Promise.all([common, retokenize(a, b, text, specials, signal)]);
        return () => report.showTransfer({ report: overlap, transfer, nameOf: names.nameOf });
      },
      show: draw => draw(),
      showProblem: error => report.wait(problemWords(error)),
    });
  }

  #setChoices() {
    const { settings, catalog } = this.context;
    for (const report of Object.values(this.#reports))
      report.choices = settings.get('chosen').map(id => ({ id, name: catalog.nameOf(id) }));
  }

  /** @param {string} a @param {string} b @param {AbortSignal} signal */
  async #differenceOf(a, b, signal) {
    const { catalog } = this.context;
    const key = [catalog.revisionOf(a), catalog.revisionOf(b)];
    if (this.#difference && isSame(this.#difference.key, key)) return this.#difference.answer;
    const answer = await tokenizerDiff(a, b, signal);
    this.#difference = { key, answer };
    return answer;
  }
}
