/** Growth, hard inputs and the races: measurements of cost, each a job of its own, with those that were made before. */
import { failureOf } from '../../../app/state/job_store.js';
import { lettersOf } from '../../../app/tokenizers/letters.js';
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { keyNames } from '../benchmark_words.js';
import { COST_KINDS, CostViews, tokenizersOfCost } from '../cost_views.js';

/** @typedef {import('../../../api/costs.js').Cost} Cost */

export class CostsPanel extends Panel {
  #screen;
  #setup;
  #client;
  #views = new CostViews({
    subjects: () => this.#setup.subjects,
    active: () => this.context.settings.get('active'),
    text: () => this.context.session.text,
    measure: (kind, options) => this.#measure(kind, options),
    show: (kind, id) => this.#screen.try(() => this.#show(kind, id)),
    isUsable: tokenizer => this.context.catalog.isUsable(tokenizer),
    watch: link => this.context.router.go('learn', link),
  });
  /** Texts that are on every machine, for the race of trainers; null: not asked for yet. @type {any[]|null} */
  #practice = null;
  /** Kinds whose newest measurement was looked for. @type {Set<string>} */
  #sought = new Set();

  /**
   * @param {import('../benchmark_data.js').Host} screen @param {import('./setup.js').SetupPanel} setup
   * @param {typeof import('../../../api/costs.js') & Pick<typeof import('../../../api/trainings.js'),
   *   'trainingOptions'>} client
   */
  constructor(screen, setup, client) {
    super();
    this.#screen = screen;
    this.#setup = setup;
    this.#client = client;
    listen(this.#views.races, 'racechange', race => screen.set({ race }));
  }

  /** One per view. */
  get elements() {
    return this.#views.panels;
  }

  /** The measurement under way. */
  get job() {
    return this.context.jobs.jobs.find(({ kind }) => COST_KINDS.includes(/** @type {any} */ (kind))) ?? null;
  }

  /** @param {import('../benchmark_state.js').BenchmarkState} state @returns {boolean} whether its view has charts */
  hasFigures(state) {
    return this.#views.hasFigures(state);
  }

  onShow() {
    this.#sought.clear();
  }

  /** Charts of costs have the letters of the bar. @param {Set<string>} changed */
  onState(changed) {
    if (changed.has('chosen') || changed.has('letters')) this.#sought.clear();
  }

  /** @param {import('../benchmark_data.js').Shown} shown */
  onResult({ state, job }) {
    const { race } = state;
    const { isActive } = this.#screen;
    const kind = this.#views.kindOf(state);
    if (kind === 'trainers' && isActive) this.#readPractice();
    if (kind && isActive && !this.#sought.has(kind)) {
      this.#sought.add(kind);
      this.#screen.try(() => this.#show(kind, this.#views.shownId(kind)));
    }
    const { subjects, problem, openBytes } = this.#setup;
    const { catalog, settings } = this.context;
    const keys = subjects.map(({ tokenizer, engine }) => `${tokenizer}/${engine}`);
    this.#views.show({
      names: keys.length ? keyNames(keys) : [],
      active: catalog.nameOf(settings.get('active') ?? ''),
      isBusy: job !== null,
      problem: subjects.length ? '' : problem,
      race,
      texts: this.#setup.textsWith(this.#practice ?? []),
      openBytes,
    });
  }

  /** A job has ended. @param {{job: any, resumed: boolean}} ended */
  onEnded({ job, resumed }) {
    const kind = COST_KINDS.find(one => one === job.kind);
    if (!kind) return;
    if (job.state === 'done') this.#screen.try(() => this.#show(kind));
    else if (resumed && job.state === 'failed') this.#screen.showError(failureOf(job));
  }

  /** The end of its job shows it. @param {Cost} kind @param {Object} options */
  async #measure(kind, options) {
    const { jobs } = this.context;
    await this.#screen.follow(
      async () => jobs.follow(await this.#client.startCost(kind, options)),
      () => '',
    );
    setTimeout(() => !this.#screen.life.aborted && this.#screen.draw());
  }

  /** Shows a measurement, or the newest, also of an earlier visit. @param {Cost} kind @param {number|null} [id] */
  async #show(kind, id) {
    const all = (await this.#client.listCosts()).filter(one => one.kind === kind);
    const summary = all.find(one => one.id === id) ?? all[0];
    if (!summary) return;
    const letters = lettersOf(tokenizersOfCost(summary), this.context.catalog);
    if (this.#views.isShown(kind, summary.id, letters)) return;
    const { report } = await this.#client.getCost(summary.id);
    this.#views.take(kind, { summary, report, letters, figures: await this.#client.costFigures(report, letters) }, all);
    this.#screen.draw();
  }

  /** Reads, once, which practice corpora there are. */
  #readPractice() {
    if (this.#practice) return;
    this.#practice = [];
    this.#screen.try(async () => {
      this.#practice = (await this.#client.trainingOptions()).practice;
      this.#screen.draw();
    });
  }
}
