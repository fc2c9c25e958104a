/** The vocabulary as a whole: lengths of its tokens, and which of them no text gives. */
import { Panel } from '../../../app/panel.js';
import { problemWords } from '../../../util/format.js';
import { VocabularyOverview } from '../vocabulary_overview.js';

/** @typedef {import('../../../api/vocabulary_query.js').VocabularyQuery} Query */

export class OverviewPanel extends Panel {
  element = new VocabularyOverview();
  #source;
  #found;

  /**
   * @param {import('../vocabulary_source.js').VocabularySource} source
   * @param {() => Promise<unknown>} found called when more is known of the tokens that are listed
   */
  constructor(source, found) {
    super();
    this.#source = source;
    this.#found = found;
  }

  /** @param {import('../../../api/schema.d.ts').VocabularyPage} page @param {Query} query */
  show(page, query) {
    this.element.showPage(page, query.length);
    this.element.showAudit(this.#source.audit, query.verdicts);
  }

  /** Asks, once, which tokens no text gives. @param {Query} query */
  audit(query) {
    this.element.showAudit(this.#source.audit, query.verdicts);
    this.context.activity.track(
      this.#source.askAudit().then(
        isNew => (isNew ? this.#found() : null),
        error => this.element.showAuditProblem(problemWords(error)),
      ),
    );
  }
}
