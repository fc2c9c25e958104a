/** What holds for the draft, as checks, and tokens by language on a corpus. */
import { actionButton, drawnOnce, h, setText } from '../../../ui/dom.js';
import { numbers, table } from '../../../ui/table.js';
import { count, growth } from '../../../util/format.js';

/** @typedef {import('../../../api/schema.d.ts').EditCheck} EditCheck */
/** @typedef {import('../../../api/schema.d.ts').Measured} Measured */

const MOST_LANGUAGES = 12;

/** @type {Object<string, string>} */
const NAMES = {
  ids: 'IDs',
  special_tokens: 'Special tokens',
  encodes: 'Every text still encodes',
  round_trip: 'Round trip',
  reachable: 'No new unreachable token',
  merges: 'No dead merge',
};

export class ChecksPanel {
  #list = h('ul', { class: 'workshop-checks' });
  #sum = h('span', { class: 'dim' });
  #host;
  #prove;
  #languages = h('section', { class: 'workshop-languages', 'aria-label': 'Tokens per language', hidden: true });

  /** @param {{prove: () => void, keepIds: () => void, language: (name: string) => void}} host */
  constructor(host) {
    this.#host = host;
    this.#prove = actionButton('Prove reachability', () => host.prove(), { 'data-role': 'prove' });
    this.element = h(
      'div',
      { class: 'workshop-below', tabIndex: 0, role: 'group', 'aria-label': 'Checks and languages' },
      this.#languages,
      h(
        'section',
        { 'aria-label': 'Checks' },
        h('div', { class: 'workshop-head' }, h('h2', {}, 'Checks'), this.#sum, this.#prove),
        this.#list,
      ),
    );
  }

  /** @param {EditCheck[]} checks @param {boolean} canProve @param {boolean} canKeepIds */
  show(checks, canProve, canKeepIds) {
    const passed = checks.filter(check => check.passed).length;
    setText(this.#sum, checks.length ? `${count(passed)} passed · ${count(checks.length - passed)} to look at` : '');
    this.#prove.disabled = !canProve;
    const keep = () => actionButton('Keep IDs', () => this.#host.keepIds(), { class: 'button link' });
    drawnOnce(this.#list, [checks, canKeepIds], () =>
      checks.map(check => checkItem(check, check.name === 'ids' && !check.passed && canKeepIds ? keep() : null)),
    );
  }

  /** @param {Measured|null} measured */
  measure(measured) {
    this.#languages.hidden = !measured?.languages.length;
    if (!measured) return;
    drawnOnce(this.#languages, measured, () => [
      table({
        caption: `Tokens per language, the worst of ${count(measured.languages.length)} first`,
        columns: ['', numbers('before'), numbers('after'), numbers('change')],
        rows: measured.languages.slice(0, MOST_LANGUAGES).map(({ name, before, after }) => [
          actionButton(name ?? '', () => this.#host.language(name ?? ''), {
            class: 'button link',
            title: 'Its documents',
          }),
          ...[count(before), count(after), growth(after / before - 1)],
        ]),
      }),
    ]);
  }
}

/** @param {EditCheck} check @param {HTMLElement|null} act */
const checkItem = ({ name, passed, message, examples }, act) =>
  h(
    'li',
    { 'data-check': name, 'data-passed': String(passed) },
    h('span', { class: passed ? 'workshop-ok' : 'workshop-look' }, passed ? 'passed' : 'look'),
    h('b', {}, NAMES[name] ?? name, act && ' ', act),
    h('p', { class: 'dim' }, message, examples.length ? ` ${examples.slice(0, 6).join(', ')}` : ''),
  );
