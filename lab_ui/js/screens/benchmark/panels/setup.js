/** What the next run measures: the row that chooses it, what to do first, and how far the run under way is. */
import { textSize, withoutPractice } from '../../../api/corpora.js';
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { Invitation } from '../../../ui/invitation.js';
import { utf8Length } from '../../../util/utf8.js';
import { ProgressRow } from '../progress_row.js';
import { OPEN_TEXT, SETTINGS, chosenSubjects, optionsOf } from '../settings.js';
import { SetupRow } from '../setup_row.js';
/** @import {BenchmarkPreset, EngineState} from '../../../api/schema.d.ts' */

/** Text that the page sends with a run, at most. */
const MOST_TEXT = 20_000_000;
const INVITATION =
  'Every engine encodes the same text in turn, round by round. The figure to read is the ratio within one run.';
const FACTS = [
  'IDs are compared with the reference first. An engine with other IDs cannot win.',
  'Each engine runs in a process of its own: one that crashes loses its row only.',
  'The noise of this machine is measured before the run.',
];
const NOTHING = { tokenizer: '', presets: [], engines: [] };

/**
 * @typedef {Pick<typeof import('../../../api/benchmarks.js'), 'listPresets'|'listEngines'> & {listCorpora: any}} Client
 */

export class SetupPanel extends Panel {
  element = new SetupRow();
  progress = new ProgressRow();
  invitation = new Invitation();
  #screen;
  #client;
  /** @type {import('../../../api/schema.d.ts').CorpusEntry[]} */
  #corpora = [];
  /**
   * Presets and engines for a tokenizer.
   * @type {{tokenizer: string, presets: BenchmarkPreset[], engines: EngineState[]}}
   */
  #offered = NOTHING;
  /** Bytes of the open text, counted once per version. */
  #counted = { version: -1, bytes: 0 };

  /** @param {import('../benchmark_data.js').Host} screen @param {Client} client */
  constructor(screen, client) {
    super();
    this.#screen = screen;
    this.#client = client;
    listen(this.element, 'settingchange', values => this.context.settings.set(values));
    listen(this.element, 'startrun', () => screen.startRun());
    listen(this.element, 'addtext', () => this.context.router.go('corpus'));
    listen(this.invitation, 'invited', () => screen.startRun());
    listen(this.progress, 'cancelrun', () =>
      screen.try(async () => screen.job && screen.data.jobs.stop(screen.job.id)),
    );
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const redraw = () => this.#screen.isActive && this.#screen.draw();
    context.session.addEventListener('edit', redraw, { signal: this.#screen.life });
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (changed.has('active')) this.#screen.try(() => this.offer());
  }

  /** Reads what can be measured. */
  async load() {
    const [corpora] = await Promise.all([this.#client.listCorpora(), this.offer()]);
    this.#corpora = corpora;
  }

  /** Reads the presets and the engines for the active tokenizer, unless they are known. */
  async offer() {
    const tokenizer = this.context.settings.get('active');
    if (!tokenizer || tokenizer === this.#offered.tokenizer || !this.#screen.isActive) return;
    const [presets, engines] = await Promise.all([
      this.#client.listPresets(tokenizer),
      this.#client.listEngines(tokenizer),
    ]);
    if (tokenizer !== this.context.settings.get('active')) return;
    this.#offered = { tokenizer, presets, engines };
    this.#screen.draw();
  }

  /** What was offered may be another now. */
  forget() {
    this.#offered = NOTHING;
  }

  /** Engines that the lab knows. */
  get engines() {
    return this.#offered.engines;
  }

  /** What the next run measures. @returns {import('../../../api/schema.d.ts').Subject[]} */
  get subjects() {
    return chosenSubjects(this.context.settings, this.#offered.presets).subjects;
  }

  /** What the next run is asked for. @returns {import('../../../api/schema.d.ts').BenchmarkBody} */
  get options() {
    return optionsOf(this.context.settings, this.#offered.presets, this.#source);
  }

  /** The id of the corpus, or `OPEN_TEXT`, that the next run measures. */
  get #text() {
    const wanted = this.context.settings.get('benchmark.text');
    const isThere =
      wanted === OPEN_TEXT ? this.context.session.length > 0 : this.#corpora.some(({ id }) => id === wanted);
    return isThere ? wanted : (this.#corpora[0]?.id ?? OPEN_TEXT);
  }

  /** @returns {import('../../../api/schema.d.ts').BenchmarkBody['source']} */
  get #source() {
    const { session } = this.context;
    if (this.#text !== OPEN_TEXT) return { kind: 'corpus', name: this.#text };
    return { kind: 'text', name: session.source.name ?? 'Text of Inspect', text: session.text };
  }

  /** Why no run can start, in words; empty: it can. */
  get problem() {
    const { catalog, session } = this.context;
    const tokenizers = [...new Set(this.subjects.map(({ tokenizer }) => tokenizer))];
    const needs = tokenizers.filter(id => !catalog.isUsable(id)).map(id => catalog.nameOf(id));
    if (!this.#screen.data.isLoaded) return 'The screen is loading.';
    if (needs.length) return `Fetch ${needs.join(' and ')} first: Add tokenizer, in the bar.`;
    if (!this.subjects.length) return 'Choose a tokenizer in the bar, and an engine under More.';
    if (this.#text === OPEN_TEXT && !session.length) return 'There is no text: add a corpus, or type one in Inspect.';
    if (this.#text === OPEN_TEXT && session.length > MOST_TEXT)
      return 'The text is too long: add its file as a corpus.';
    return '';
  }

  /** Bytes of the text that is open in Inspect; 0: none, or it is too long to be sent. */
  get openBytes() {
    const { length } = this.context.session;
    return length && length <= MOST_TEXT ? this.#openBytes : 0;
  }

  get #openBytes() {
    const { session } = this.context;
    if (this.#counted.version !== session.version)
      this.#counted = { version: session.version, bytes: utf8Length(session.text) };
    return this.#counted.bytes;
  }

  /**
   * The texts that trainers may race on.
   * @param {any[]} practice texts that are on every machine
   * @returns {import('../cost_views.js').RaceText[]}
   */
  textsWith(practice) {
    return [
      ...practice.map(({ name, title, bytes }) => ({ value: `practice:${name}`, title, bytes })),
      ...withoutPractice(this.#corpora, practice).map(corpus => ({
        value: `corpus:${corpus.id}`,
        title: corpus.title,
        bytes: textSize(corpus),
      })),
    ];
  }

  /** @param {import('../benchmark_data.js').Shown} shown */
  onResult({ run, isBusy, job, needsRun, isLoaded, machine }) {
    const { settings, session } = this.context;
    const { presets, engines } = this.#offered;
    const { problem } = this;
    const chosen = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, settings.get(`benchmark.${name}`)]));
    const cpus = machine?.environment.usable_cpus ?? run?.environment.usable_cpus;
    this.element.show({
      presets,
      engines,
      corpora: this.#corpora,
      openText: session.length ? { bytes: this.#openBytes } : null,
      settings: { .../** @type {any} */ (chosen), text: this.#text },
      cpus: cpus ?? (navigator.hardwareConcurrency || 1),
      problem,
      isRunning: isBusy,
    });
    this.progress.job = job;
    this.invitation.hidden = !isLoaded || run !== null || !needsRun;
    this.#invite(presets.find(({ name }) => name === chosen.what)?.title ?? 'Custom', problem, isBusy);
  }

  /** @param {string} title of what is measured @param {string} problem @param {boolean} isBusy */
  #invite(title, problem, isBusy) {
    const text = this.#corpora.find(({ id }) => id === this.#text)?.title ?? 'the text of Inspect';
    // A title such as "All installed engines" does not name the tokenizer, which is the active one.
    const names = [...new Set(this.subjects.map(one => this.context.catalog.nameOf(one.tokenizer)))];
    const what = names.length === 1 ? `${title} with ${names[0]}` : title;
    this.invitation.show({
      title: 'Which tokenizer is fast on your text?',
      paragraphs: [{ words: INVITATION }, { words: problem || `${what}, on ${text}.`, isDim: true }],
      acts: [
        {
          name: 'run',
          label: isBusy ? 'The run is under way' : 'Run the benchmark',
          isPrimary: true,
          isDisabled: isBusy || problem !== '',
        },
      ],
      facts: FACTS,
    });
  }
}
