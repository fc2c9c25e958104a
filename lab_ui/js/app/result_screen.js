/**
 * A screen with saved results: it shows one of them, starts the job that makes the next, and saves what is shown as
 * files. Its layout is a list of panels, each of which gets what is shown whenever any of it changed.
 */
import { h, listen } from '../ui/dom.js';
import { callEach } from '../util/call_each.js';
import { chartFile, chartsFile, offerCharts, printChart } from './exports/chart_files.js';
import { saveFile } from './files/files.js';
import { figureControls } from './exports/figure_controls.js';
import { failureOf } from './state/job_store.js';
import { followPanelSettings } from './panel_settings.js';
import { Screen } from './screen.js';
/** @import {LabChart} from '../ui/chart.js' */

/** @typedef {import('../ui/chart_figure.js').ChartFigure} ChartFigure */

/**
 * @template {import('./result_store.js').ResultStore} [Store=any]
 * @template {Object<string, any>} [State=any]
 */
export class ResultScreen extends Screen {
  /** @type {import('./context.js').Context} */
  context;
  /** @type {Store} */
  data;
  /** What the address says. @type {State} */
  state;
  isActive = false;
  /** @type {import('./panel.js').Panel[]} */
  panels = [];

  /** Of the screen, as addresses have it. @returns {string} */
  get name() {
    return '';
  }

  /** Of the result that is shown, in names of files, as its reports have it. @returns {string} */
  get resultName() {
    return this.name;
  }

  /** Settings that change what is shown, besides those of the screen. @returns {string[]} */
  get watched() {
    return ['chosen', 'letters'];
  }

  /**
   * Puts the screen into the page and starts it. Called last by `mount`.
   * @param {HTMLElement} root @param {HTMLElement[]} elements
   * @param {import('../ui/side_panel.js').SidePanel} side @param {import('../ui/menu_button.js').MenuButton} exports
   */
  start(root, elements, side, exports) {
    const { settings, catalog, jobs } = this.context;
    root.append(h('div', { class: this.name }, ...elements, side));
    followPanelSettings(side, this.name, settings, this.life);
    /** @param {LabChart} chart @param {import('./exports/chart_files.js').ChartFormat|'pdf'} format */
    const saveChart = (chart, format) =>
      format === 'pdf'
        ? this.try(() => printChart(chart, settings))
        : this.save(() => chartFile(chart, format, settings));
    const saveAll = () =>
      this.save(async () => chartsFile(`${this.resultName}-charts`, await this.allCharts(), root, settings));
    offerCharts(exports, root, figureControls(settings, this.life), saveChart, saveAll);
    for (const panel of this.panels) panel.mount(this.context);
    /** @param {Set<string>} changed */
    const onState = changed => {
      callEach(this.panels, panel => panel.onState(changed));
      this.draw();
    };
    const own = Object.keys(/** @type {typeof Screen} */ (this.constructor).settings);
    settings.on([...this.watched, ...own.map(name => `${this.name}.${name}`)], onState, this.life);
    catalog.addEventListener('change', () => onState(new Set(['entries'])), { signal: this.life });
    listen(this.data, 'change', () => this.draw());
    const onEnded = (/** @type {Event} */ event) => this.onEnded(/** @type {CustomEvent} */ (event).detail);
    jobs.addEventListener('ended', onEnded, { signal: this.life });
    this.draw();
  }

  /** @param {URLSearchParams} _params @returns {State} */
  stateOf(_params) {
    return /** @type {State} */ ({});
  }

  /** What the address is to say. @returns {URLSearchParams} */
  get params() {
    return new URLSearchParams();
  }

  /** Reads what is asked for. @returns {Promise<string[]>} what of it does not exist, in words */
  async load() {
    return [];
  }

  /** @returns {any} what panels get */
  get shown() {
    return null;
  }

  /** The charts of the result, those of other views too. @returns {Promise<ChartFigure[]>} */
  async allCharts() {
    const shown = this.panels.flatMap(({ element }) => [...(element?.querySelectorAll('lab-chart') ?? [])]);
    return shown.flatMap(each => /** @type {import('../ui/chart.js').LabChart} */ (each).chart ?? []);
  }

  /** Something of it has changed, and the panels have drawn it. @param {any} _shown */
  onDraw(_shown) {}

  /** The facts in the status line. @param {any} _shown */
  notes(_shown) {}

  /** @param {URLSearchParams} params */
  activate(params) {
    this.isActive = true;
    this.state = this.stateOf(params);
    callEach(this.panels, panel => panel.onShow());
    return this.try(async () => {
      const missing = await this.load();
      if (missing.length)
        throw Object.assign(new Error(`This link names ${missing.join(' and ')}, which this lab does not have.`), {
          hint: 'It may have been removed. What is here is shown instead.',
        });
    });
  }

  deactivate() {
    this.isActive = false;
    this.data.stop();
    for (const panel of this.panels) panel.onHide();
  }

  destroy() {
    super.destroy();
    for (const panel of this.panels) panel.destroy();
  }

  renew() {
    this.try(() => this.load());
  }

  /** Tracked work that ends soon; what it fails with is shown. @param {() => Promise<any>} work */
  try(work) {
    return this.context.activity.track(work().catch(error => this.showError(error)));
  }

  /** @param {unknown} error */
  showError(error) {
    this.context.status.showError(error);
  }

  /**
   * Listens to what an element reports; the answer is tracked work.
   * @param {EventTarget} target @param {string} type @param {(detail: any) => Promise<any>} run
   */
  handle(target, type, run) {
    listen(target, type, detail => this.try(async () => run(detail)));
  }

  /**
   * Waits for a job. It is not among the tracked work: it takes long, and what is shown does not wait for it.
   * @template T
   * @param {() => Promise<T|null>} run @param {(found: T) => string} words what is announced when it has ended
   */
  async follow(run, words) {
    const { status } = this.context;
    status.clearError();
    try {
      const found = await run();
      if (found && this.isActive) status.announce(words(found));
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {() => Promise<{name: string, data: Blob}>} file */
  save(file) {
    return this.try(async () => {
      const { name, data } = await file();
      saveFile(name, data);
      this.context.status.announce(`${name} is saved`);
    });
  }

  /** Opens a text in Inspect. @param {string} text @param {string} name where it is from */
  inspect(text, name) {
    const { session, router } = this.context;
    session.setText(text, { name, encoding: 'UTF-8' });
    router.go('inspect');
  }

  /** A job has ended. @param {{job: any, resumed: boolean}} ended `resumed`: nobody waits for its result */
  onEnded({ job, resumed }) {
    if (!resumed || job.kind !== this.data.kind) return;
    if (job.state === 'failed') this.showError(failureOf(job));
    else this.try(() => this.data.takeResumed(job));
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    this.state = { ...this.state, ...patch };
    this.draw();
  }

  /** Draws what is shown, and says it in the address. */
  draw() {
    const { shown } = this;
    callEach(this.panels, panel => panel.onResult(shown));
    this.onDraw(shown);
    if (!this.isActive || !this.data.isLoaded) return;
    this.context.router.replace(this.name, this.params);
    this.notes(shown);
  }
}
