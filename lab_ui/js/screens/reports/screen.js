/** Reports: sessions that were saved, to open, to run again and see what became different, and to delete. */
import { deleteReport, listReports, openReport, runReport, saveReport } from '../../api/reports.js';
import { all, focused, h } from '../../ui/dom.js';
import { difference } from '../../text/figures.js';
import { count, plural } from '../../util/format.js';
import { Latest } from '../../util/latest.js';

const SCREENS = ['inspect', 'compare'];
const LINES = 3; // of a text in the list
const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export class ReportsView {
  /** Whether `start` was called. */
  started = false;
  #shown = false;
  #lab;
  #name;
  #list = h('ul', { class: 'reports' });
  #empty = h(
    'p',
    { class: 'dim reports-empty', hidden: true },
    'Nothing is saved yet. A session keeps the text, the tokenizers, the switches and the ids they gave, so that it can be run again.',
  );
  #reports = [];
  #changes = new Map();
  #asked = null;
  #requests = new Latest();
  #opening = new Latest();
  #running = new Map();

  /** @param {import('../../app/lab.js').Lab} lab */
  constructor(lab) {
    this.#lab = lab;
    this.#name = h('input', {
      type: 'text',
      id: 'report-name',
      maxLength: 200,
      placeholder: 'Name of the session',
      'data-role': 'report-name',
    });
    this.element = h(
      'div',
      { class: 'library' },
      h(
        'form',
        {
          class: 'tools',
          onsubmit: event => {
            event.preventDefault();
            this.#save();
          },
        },
        h('h1', {}, 'Reports'),
        h('span', { class: 'grow' }),
        h('label', { for: 'report-name', class: 'visually-hidden' }, 'Name of the session'),
        this.#name,
        h('button', { type: 'submit', class: 'button framed' }, 'Save this session'),
      ),
      h('div', { class: 'reports-work' }, this.#empty, this.#list),
    );
  }

  /** Called once, when the screen is first shown, with the element in the page. */
  start() {}
  show() {
    this.#shown = true;
    this.#load();
  }
  hide() {
    this.#shown = false;
  }

  /** @returns {import('../../app/command.js').Command[]} */
  get commands() {
    return [{ label: 'Save this session', run: () => this.#name.focus() }];
  }

  #load() {
    return this.#try(async () => {
      const reports = await this.#requests.run(() => listReports());
      if (!reports) return;
      this.#reports = reports;
      if (this.#shown) this.#lab.setNote(plural(reports.length, 'saved session'));
      this.#draw();
    });
  }

  #save() {
    const { state } = this.#lab;
    const name = this.#name.value.trim() || usualName(state.text);
    return this.#try(async () => {
      await saveReport({
        name,
        tokenizers: state.chosen,
        text: state.text,
        addSpecialTokens: state.addSpecialTokens,
        specials: state.specials,
        view: { ...state.preferences, screen: this.#lab.textScreen },
      });
      this.#name.value = '';
      this.#lab.announce(`${name} is saved`);
      await this.#load();
    });
  }

  /** A session takes the place of what is shown: its text, tokenizers and switches. */
  #open(id) {
    return this.#try(async () => {
      const report = await this.#opening.run(() => openReport(id));
      const { state } = this.#lab;
      if (!report || !this.#shown) return; // another one was opened since, or another screen
      const { name, text, view, results, add_special_tokens: addSpecialTokens, specials } = report;
      const here = results.map(({ tokenizer }) => tokenizer).filter(tokenizer => state.entry(tokenizer)?.available);
      state.accept({ ...view, addSpecialTokens, specials, ...(here.length ? { chosen: here } : {}) });
      this.#lab.setText(text, { name, encoding: 'UTF-8' });
      location.hash = `#/${SCREENS.includes(view.screen) ? view.screen : here.length > 1 ? 'compare' : 'inspect'}`;
      const gone = results.map(({ tokenizer }) => tokenizer).filter(tokenizer => !here.includes(tokenizer));
      const which = here.length ? '' : ' It is shown with the tokenizers that were in use.';
      if (gone.length)
        this.#lab.showError(
          Object.assign(
            new Error(
              `“${name}” was saved with ${gone.join(', ')}, which ${gone.length === 1 ? 'is' : 'are'} not installed.${which}`,
            ),
            { hint: 'Add what is missing, then open the session once more.' },
          ),
          true,
        );
    });
  }

  #run(id) {
    return this.#try(async () => {
      if (!this.#running.has(id)) this.#running.set(id, new Latest());
      const changes = await this.#running.get(id).run(() => runReport(id));
      if (!changes) return;
      this.#changes.set(id, changes);
      this.#draw();
      this.#lab.announce(this.#changes.get(id).every(({ same }) => same) ? 'No changes' : 'Results differ');
    });
  }

  #delete(id) {
    // Deleted only on a second press of a button that says so.
    if (this.#asked !== id) {
      this.#asked = id;
      this.#draw();
      all(this.#list, `[data-action="Confirm delete ${id}"]`)[0]?.focus();
      return undefined;
    }
    this.#asked = null;
    return this.#try(async () => {
      await deleteReport(id);
      await this.#load();
    });
  }

  #try(work) {
    return this.#lab.activity.track(
      (async () => {
        try {
          await work();
        } catch (error) {
          if (this.#shown) this.#lab.showError(error);
        }
      })(),
    );
  }

  #draw() {
    const held = /** @type {HTMLElement|null} */ (focused()?.closest('.reports button'))?.dataset.action;
    this.#empty.hidden = this.#reports.length > 0;
    this.#list.replaceChildren(...this.#reports.map(report => this.#card(report)));
    if (held) all(this.#list, `[data-action="${CSS.escape(held)}"]`)[0]?.focus();
  }

  #card({ id, name, saved_at: saved, text_characters: characters, beginning, counts }) {
    const button = (words, act) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button framed',
          'data-action': `${words} ${id}`,
          'aria-label': `${words} ${name}`,
          onclick: act,
        },
        words,
      );
    const changes = this.#changes.get(id);
    const shown = beginning.split('\n').slice(0, LINES).join('\n');
    return h(
      'li',
      { class: 'volume report', 'data-report': id },
      h(
        'div',
        { class: 'volume-head' },
        h('h2', {}, h('bdi', {}, name)),
        h('span', { class: 'dim' }, WHEN.format(new Date(saved))),
        h('span', { class: 'grow' }),
        button('Open', () => this.#open(id)),
        button('Run again', () => this.#run(id)),
        button(this.#asked === id ? 'Confirm delete' : 'Delete', () => this.#delete(id)),
      ),
      h('p', { class: 'report-text' }, h('bdi', {}, shown), characters > [...shown].length ? '…' : null),
      h('p', { class: 'dim' }, plural(characters, 'character')),
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'Tokenizer'),
            h('th', { scope: 'col', class: 'number' }, 'Saved'),
            ...(changes
              ? [h('th', { scope: 'col', class: 'number' }, 'Now'), h('th', { scope: 'col' }, 'Change')]
              : []),
          ),
        ),
        h(
          'tbody',
          {},
          ...(changes ?? Object.entries(counts).map(([tokenizer, n]) => ({ tokenizer, count_before: n }))).map(change =>
            row(change, Boolean(changes)),
          ),
        ),
      ),
    );
  }
}

/** The beginning of a text, in whole characters. @param {string} text */
function usualName(text) {
  const words = text.trim().split(/\n/)[0];
  const beginning = [...words].slice(0, 48).join('');
  return beginning ? beginning + (beginning.length < words.length ? '…' : '') : 'No text';
}

function row(
  { tokenizer, count_before: before, count_now: now, same, first_difference: first, files_changed: files, problem },
  ran,
) {
  const words = problem ?? (same ? 'same IDs' : `${difference(now, before)}, from token ${count(first + 1)} on`);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('bdi', {}, tokenizer)),
    h('td', { class: 'number' }, count(before)),
    ...(ran
      ? [
          h('td', { class: 'number' }, count(now)),
          h('td', { class: same ? 'dim' : 'warning' }, words, files ? '; its files have changed' : null),
        ]
      : []),
  );
}
