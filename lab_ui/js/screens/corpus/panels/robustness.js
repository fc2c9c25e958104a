/** How robust the tokenizers in use are: measured on request, as a job that the backend keeps as long as it runs. */
import { lettersOf } from '../../../app/tokenizers/letters.js';
import { failureOf } from '../../../app/state/job_store.js';
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { RobustnessView } from '../robustness_view.js';

/** The kind of its jobs, and the name of its view. */
const ROBUSTNESS = 'robustness';

/**
 * @typedef {import('../../../api/schema.d.ts').Robustness} Robustness
 * @typedef {{startRobustness: any, listJobs: () => Promise<any[]>}} Client
 */
export class RobustnessPanel extends Panel {
  element = new RobustnessView();
  #screen;
  #client;
  /** The last measurement. @type {Robustness|null} */
  #found = null;
  /** The corpus whose measurement was looked for. @type {string|null} */
  #sought = null;
  #isStarting = false;

  /** @param {import('../corpus_data.js').Host} screen @param {Client} client */
  constructor(screen, client) {
    super();
    this.#screen = screen;
    this.#client = client;
    listen(this.element, 'measure', () => this.#measure());
  }

  onShow() {
    this.#sought = null;
  }

  /** A job has ended. @param {{job: any, resumed: boolean}} ended */
  onEnded({ job, resumed }) {
    if (job.kind !== ROBUSTNESS) return;
    if (job.state === 'done') this.#found = job.result;
    if (resumed && job.state === 'failed') this.#screen.showError(failureOf(job));
    this.#draw();
  }

  onResult() {
    this.#draw();
  }

  #draw() {
    const { catalog, settings } = this.context;
    const { data, state, isActive } = this.#screen;
    const corpus = data.corpus?.id ?? null;
    if (isActive && state.view === ROBUSTNESS && corpus !== this.#sought) {
      this.#sought = corpus;
      this.#screen.try(() => this.#find());
    }
    /** @param {string} id */
    const nameOf = id => catalog.nameOf(id);
    const robustness = this.#found?.corpus === corpus ? this.#found : null;
    const ids = robustness?.tokenizers.map(({ tokenizer }) => tokenizer) ?? [];
    const letters = lettersOf(ids, catalog);
    this.element.show({
      robustness,
      tokenizers: data.corpus ? settings.get('chosen').map(nameOf) : [],
      isBusy: this.#isBusy,
      nameOf,
      letterOf: id => letters[ids.indexOf(id)],
    });
  }

  /** Whether it is being measured, also since before the screen was opened. */
  get #isBusy() {
    return this.#isStarting || this.context.jobs.jobs.some(({ kind }) => kind === ROBUSTNESS);
  }

  /** The end of its job shows it. */
  async #measure() {
    const { corpus } = this.#screen.data;
    if (!corpus || this.#isBusy) return;
    this.#isStarting = true;
    this.#draw();
    try {
      const tokenizers = this.context.settings.get('chosen');
      const job = await this.#client.startRobustness({ corpus: corpus.id, tokenizers });
      this.#isStarting = false;
      await this.context.jobs.follow(job);
    } catch (error) {
      this.#screen.showError(error);
    } finally {
      this.#isStarting = false;
      this.#draw();
    }
  }

  /** Finds the last measurement of this corpus. */
  async #find() {
    const jobs = await this.#client.listJobs();
    const found = jobs.findLast(
      ({ kind, state, result }) =>
        kind === ROBUSTNESS && state === 'done' && result.corpus === this.#screen.data.corpus?.id,
    );
    this.#found = found?.result ?? this.#found;
    this.#draw();
  }
}
