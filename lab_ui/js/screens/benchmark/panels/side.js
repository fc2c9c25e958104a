/** The panel on the right: the row that was chosen, the machine, the runs, the difference of two, the command. */
import { Panel } from '../../../app/panel.js';
import { actionButton, h, listen, setText } from '../../../ui/dom.js';
import { SidePanel } from '../../../ui/side_panel.js';
import { linesOf } from '../benchmark_words.js';
import { ChangesList } from '../changes_list.js';
import { EnvironmentCard } from '../environment_card.js';
import { RowDetails } from '../row_details.js';
import { RunsList } from '../runs_list.js';
import { part } from '../../../ui/facts.js';

const LABEL = 'Machine and runs';
const MOST_RUNS = 6;

export class SidePart extends Panel {
  element = new SidePanel();
  #runs = new RunsList();
  #details = new RowDetails();
  #environment = new EnvironmentCard();
  #changes = new ChangesList();
  #compared = h('section', { class: 'panel-part' }, this.#changes);
  #allRuns = part('Runs', this.#runs);
  #command = h('code', { class: 'mono command', tabIndex: 0, 'data-role': 'command' });
  #again;
  #repeat;

  /** @param {import('../benchmark_data.js').Host} screen */
  constructor(screen) {
    super();
    const copy = () => this.context.clipboard.copy(screen.data.run?.command ?? '', 'The command is copied');
    this.#again = actionButton('Run again', () => screen.repeatRun());
    this.#repeat = part(
      'Repeat this run',
      this.#command,
      h(
        'div',
        { class: 'bench-actions' },
        actionButton('Copy', () => screen.try(copy)),
        this.#again,
      ),
    );
    const head = h('div', { class: 'panel-head' }, h('h2', {}, LABEL));
    this.element.label = LABEL;
    this.#runs.most = MOST_RUNS;
    this.element.body.append(head, this.#details, this.#environment, this.#allRuns, this.#compared, this.#repeat);
    openRuns(screen, this.#runs);
    screen.handle(this.#environment, 'measurenoise', () => screen.data.measureMachine());
    listen(this.#details, 'closerow', () => screen.set({ row: null }));
  }

  /** @param {import('../benchmark_data.js').Shown} shown */
  onResult({ run, lines, before, changes, letters, state, machine, isBusy }) {
    const isElsewhere = state.view === 'history';
    const line = run ? linesOf(run, letters).find(({ row }) => row.key === state.row) : null;
    this.#details.show(line ?? null);
    this.#environment.show(machine ?? run, machine !== null && run !== null);
    this.#allRuns.hidden = !lines.length || isElsewhere;
    this.#runs.show(lines, run?.id ?? null, before);
    this.#compared.hidden = !changes || isElsewhere;
    this.#changes.changes = changes;
    this.#repeat.hidden = !run;
    if (run) setText(this.#command, run.command);
    this.#again.disabled = isBusy;
  }
}

/**
 * Lets a list of runs open one, and compare the one that is shown with another.
 * @param {import('../benchmark_data.js').Host} screen @param {EventTarget} list
 */
export function openRuns(screen, list) {
  screen.handle(list, 'openrun', id => screen.data.show(id));
  screen.handle(list, 'comparerun', id => screen.data.show(screen.data.run?.id ?? null, id));
}
