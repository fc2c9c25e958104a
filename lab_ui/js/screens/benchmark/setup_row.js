/**
 * The row above the results: what the next run measures, and the button that starts it. Gets `show`; reports
 * `settingchange` (detail: values by name), `startrun` and `addtext`.
 */
import { textSize } from '../../api/corpora.js';
import { keyWords } from '../../app/commands/command.js';
import { actionButton, drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { MenuButton } from '../../ui/menu_button.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { count, size } from '../../util/format.js';
import { MEGABYTES, OPEN_TEXT, OUTPUTS, OWN_CHOICE, ROUNDS, SHAPES, TEMPERATURES } from './settings.js';
import { choose, field, line, offer, select } from '../../ui/form.js';

const THREADS = [1, 2, 4, 8, 16, 32, 64];
const OWN = { value: OWN_CHOICE, label: 'Custom', hint: 'The tokenizers in use, in the engines chosen under More' };

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkPreset} Preset
 * @typedef {import('../../api/schema.d.ts').EngineState} Engine
 * @typedef {Object} Setup
 * @property {Preset[]} presets
 * @property {Engine[]} engines
 * @property {import('../../api/schema.d.ts').CorpusEntry[]} corpora
 * @property {{bytes: number}|null} openText null: it is empty
 * @property {{what: string, text: string, temperature: string, output: string, shape: string, threads: number, rounds:
 *   number, megabytes: number, engines: string[]}} settings
 * @property {number} cpus that a run may use
 * @property {string} problem why no run can start; empty: it can
 * @property {boolean} isRunning
 */

export class SetupRow extends LabElement {
  #what = segmented('What to compare', value => this.#set('what', value));
  #text = h(
    select('benchmark-text', () => this.#chooseText()),
    { class: 'setup-text' },
  );
  #temperature = segmented('Mode', value => this.#set('temperature', value), TEMPERATURES);
  #output = segmented('Output', value => this.#set('output', value), OUTPUTS);
  #threads = select('benchmark-threads', value => this.#set('threads', Number(value)));
  #more = new MenuButton();
  #shape = segmented('Calls', value => this.#set('shape', value), SHAPES);
  #rounds = choice(
    'Rounds',
    ROUNDS.map(n => [n, count(n)]),
    n => this.#set('rounds', n),
  );
  #most = choice(
    'Largest text',
    MEGABYTES.map(n => [n, size(n * 1e6)]),
    n => this.#set('megabytes', n),
  );
  #engines = h('div', { class: 'setup-engines', role: 'group', 'aria-label': 'Engines of a custom run' });
  #run = actionButton('Run', () => this.emit('startrun'), { class: 'button primary', 'data-role': 'start-benchmark' });

  render() {
    this.#more.label = 'More…';
    this.#more.hook = 'benchmark-more';
    this.#more.panel.classList.add('setup-more');
    this.append(
      field('What to compare', this.#what),
      field('Text', this.#text),
      field('Mode', this.#temperature),
      field('Output', this.#output),
      field('Threads', this.#threads),
      h('span', { class: 'grow' }),
      h('div', { class: 'setup-end' }, this.#more, this.#run),
    );
    this.#more.group('Calls', this.#shape);
    this.#more.group('Size of the run', line('Rounds', this.#rounds), line('Largest text', this.#most));
    this.#more.group('Engines for the tokenizers in use', this.#engines);
  }

  /** @param {Setup} setup */
  show({ presets, engines, corpora, openText, settings, cpus, problem, isRunning }) {
    this.#drawWhat(presets, settings.what);
    this.#drawText(corpora, openText, settings.text);
    this.#temperature.value = settings.temperature;
    this.#output.value = settings.output;
    this.#shape.value = settings.shape;
    this.#drawThreads(cpus, settings.threads);
    this.#rounds.value = String(settings.rounds);
    this.#most.value = String(settings.megabytes);
    this.#drawEngines(engines, settings);
    this.#run.disabled = isRunning || problem !== '';
    this.#run.title = isRunning ? 'A run is under way' : problem || `Start the run (${keyWords('Mod+Enter')})`;
  }

  focusRun() {
    this.#run.focus();
  }

  /** @param {string} name @param {string|number|string[]} value */
  #set(name, value) {
    this.emit('settingchange', { [`benchmark.${name}`]: value });
  }

  /** @param {Preset[]} presets @param {string} chosen */
  #drawWhat(presets, chosen) {
    const options = presets.map(({ name, title, description }) => ({ value: name, label: title, hint: description }));
    this.#what.options = chosen === OWN_CHOICE || !options.length ? [...options, OWN] : options;
    this.#what.value = chosen;
  }

  /** @param {Setup['corpora']} corpora @param {{bytes: number}|null} openText @param {string} chosen */
  #drawText(corpora, openText, chosen) {
    const own = openText ? [{ value: OPEN_TEXT, label: `Text of Inspect, ${size(openText.bytes)}` }] : [];
    const options = [
      ...corpora.map(one => ({ value: one.id, label: `${one.title}, ${size(textSize(one))}` })),
      ...own,
      { value: '', label: 'Add files…' },
    ];
    offer(this.#text, options);
    choose(this.#text, chosen);
  }

  /** @param {number} cpus @param {number} chosen */
  #drawThreads(cpus, chosen) {
    const offered = [...new Set([...THREADS.filter(n => n <= cpus), cpus, chosen])].sort((a, b) => a - b);
    offer(
      this.#threads,
      offered.map(n => ({ value: String(n), label: String(n) })),
    );
    this.#threads.value = String(chosen);
  }

  /** @param {Engine[]} engines @param {Setup['settings']} settings */
  #drawEngines(engines, { engines: chosen, what }) {
    drawnOnce(this.#engines, [engines, chosen, what], () => [
      ...engines.map(engine => this.#engine(engine, what === OWN_CHOICE && chosen.includes(engine.name), chosen)),
      h(
        'p',
        { class: 'faint' },
        'Ticking an engine switches to Custom: every tokenizer in use runs in every ticked engine.',
      ),
    ]);
  }

  /** @param {Engine} engine @param {boolean} checked @param {string[]} chosen */
  #engine({ name, title, version, install, misfit }, checked, chosen) {
    const box = h('input', {
      type: 'checkbox',
      checked,
      onchange: () => {
        const others = chosen.filter(other => other !== name);
        const engines = box.checked ? [...others, name] : others;
        this.emit('settingchange', { 'benchmark.engines': engines, 'benchmark.what': OWN_CHOICE });
      },
    });
    const note = version ?? (install ? 'not installed' : '');
    return h(
      'label',
      { class: 'menu-field', title: misfit ?? install ?? '' },
      h('span', { class: 'setup-engine' }, box, title),
      h('span', { class: 'faint' }, misfit ? 'other format' : note),
    );
  }

  #chooseText() {
    if (this.#text.value) this.#set('text', this.#text.value);
    else this.emit('addtext');
  }
}

/** @param {string} name @param {(value: string) => void} handler @param {{value: string, label: string}[]} [options] */
function segmented(name, handler, options = []) {
  const control = new SegmentedControl();
  control.ariaLabel = name;
  control.options = options;
  control.addEventListener('valuechange', event => handler(/** @type {CustomEvent} */ (event).detail));
  return control;
}

/**
 * A number of which one is chosen.
 * @param {string} label @param {[number, string][]} options of value and label @param {(n: number) => void} handler
 */
const choice = (label, options, handler) =>
  select(
    `benchmark-${label.toLowerCase().replace(' ', '-')}`,
    value => handler(Number(value)),
    options.map(([value, words]) => ({ value: String(value), label: words })),
  );

customElements.define('benchmark-setup', SetupRow);
