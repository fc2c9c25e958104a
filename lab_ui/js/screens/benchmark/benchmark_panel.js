/**
 * The panel on the right: the row that was chosen, the machine, the runs, the difference of two, the command. Gets
 * `show`; reports `measurenoise`, `closerow`, `repeatrun` and `copycommand`.
 */
import { h, listen } from '../../ui/dom.js';
import { SidePanel } from '../../ui/side_panel.js';
import { ChangesList } from './changes_list.js';
import { EnvironmentCard } from './environment_card.js';
import { part } from './panel_parts.js';
import { RowDetails } from './row_details.js';
import { RunsList } from './runs_list.js';

const LABEL = 'Machine and runs';
const MOST_RUNS = 6;

export class BenchmarkPanel extends EventTarget {
  side = new SidePanel();
  runs = new RunsList();
  #details = new RowDetails();
  #environment = new EnvironmentCard();
  #changes = new ChangesList();
  #compared = h('section', { class: 'entry-part' }, this.#changes);
  #allRuns = part('Runs', this.runs);
  #command = h('code', { class: 'mono command', tabIndex: 0, 'data-role': 'command' });
  #again = button('Run again', () => this.#emit('repeatrun'));
  #repeat = part(
    'Repeat this run',
    this.#command,
    h(
      'div',
      { class: 'bench-actions' },
      button('Copy', () => this.#emit('copycommand')),
      this.#again,
    ),
  );

  constructor() {
    super();
    const head = h('div', { class: 'panel-head' }, h('h2', {}, LABEL));
    this.side.label = LABEL;
    this.runs.most = MOST_RUNS;
    this.side.body.append(head, this.#details, this.#environment, this.#allRuns, this.#compared, this.#repeat);
    listen(this.#environment, 'measurenoise', () => this.#emit('measurenoise'));
    listen(this.#details, 'closerow', () => this.#emit('closerow'));
  }

  /**
   * @param {{run: import('../../api/benchmarks.js').Benchmark|null, lines:
   *   import('../../api/benchmarks.js').BenchmarkLine[], before: number|null, changes:
   *   import('../../api/benchmarks.js').BenchmarkChanges|null, line: import('./benchmark_words.js').Line|null, machine:
   *   {environment: any, noise: any}|null, isBusy: boolean, hasRuns: boolean}} shown `hasRuns`: the runs are
   *   not shown elsewhere
   */
  show({ run, lines, before, changes, line, machine, isBusy, hasRuns }) {
    this.#details.show(line);
    this.#environment.show(machine ?? run, machine !== null && run !== null);
    this.#allRuns.hidden = !lines.length || !hasRuns;
    this.runs.show(lines, run?.id ?? null, before);
    this.#compared.hidden = !changes || !hasRuns;
    this.#changes.changes = changes;
    this.#repeat.hidden = !run;
    if (run && this.#command.textContent !== run.command) this.#command.textContent = run.command;
    this.#again.disabled = isBusy;
  }

  /** @param {string} type */
  #emit(type) {
    this.dispatchEvent(new CustomEvent(type));
  }
}

/** @param {string} label @param {() => void} onclick */
const button = (label, onclick) => h('button', { type: 'button', class: 'button framed', onclick }, label);
