/** Reports: saved sessions, to open, to run again and see what changed, and to delete. */
import { deleteReport, listReports, openReport, runReport, saveReport } from '../../api/reports.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { all, focused, h } from '../../ui/dom.js';
import { difference } from '../../text/figures.js';
import { count, plural } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { Screen } from '../../app/screen.js';

/** The screens that show a text: a session is opened on the one it was saved from. */
const SCREENS = ['inspect', 'compare'];
const LINES = 3; // of a text in the list
const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export default class ReportsScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #name = h('input', {
    type: 'text',
    id: 'report-name',
    maxLength: 200,
    placeholder: 'Name of the session',
    'data-role': 'report-name',
  });
  #list = h('ul', { class: 'reports' });
  #empty = h(
    'p',
    { class: 'dim reports-empty', hidden: true },
    'Nothing is saved yet. A session keeps the text, the tokenizers, the switches and the IDs, ' +
      'so that it can be run again.',
  );
  #reports = [];
  #changes = new Map();
  #requests = new Latest();
  #opening = new Latest();
  #running = new Map();

  mount(root, context) {
    this.#context = context;
    const save = event => {
      event.preventDefault();
      this.#save();
    };
    root.append(
      h(
        'div',
        { class: 'library' },
        h(
          'form',
          { class: 'tools', onsubmit: save },
          h('h1', {}, 'Reports'),
          h('span', { class: 'grow' }),
          h('label', { for: 'report-name', class: 'visually-hidden' }, 'Name of the session'),
          this.#name,
          h('button', { type: 'submit', class: 'button framed' }, 'Save this session'),
        ),
        h('div', { class: 'reports-work' }, this.#empty, this.#list),
      ),
    );
  }

  activate() {
    this.#isActive = true;
    return this.#load();
  }
  deactivate() {
    this.#isActive = false;
  }
  destroy() {
    super.destroy();
    for (const work of [this.#requests, this.#opening, ...this.#running.values()]) work.stop();
  }

  get focusName() {
    return 'the name of the session';
  }

  focusText() {
    this.#name.focus();
  }

  get holdsInput() {
    return this.#name.value !== '';
  }

  /** @returns {import('../../app/command.js').Command[]} */
  get commands() {
    return [{ label: 'Save this session', run: () => this.focusText() }];
  }

  #load() {
    return this.#try(async () => {
      const reports = await this.#requests.run(() => listReports());
      if (!reports) return;
      this.#reports = reports;
      if (this.#isActive) this.#context.status.note(plural(reports.length, 'saved session'));
      this.#draw();
    });
  }

  #save() {
    const { settings, session, router, status } = this.#context;
    const name = this.#name.value.trim() || usualName(session.text);
    return this.#try(async () => {
      await saveReport({
        name,
        tokenizers: settings.get('chosen'),
        text: session.text,
        addSpecialTokens: settings.get('addSpecialTokens'),
        specials: settings.get('specials'),
        view: { ...settings.remembered, screen: router.latestOf(SCREENS) ?? SCREENS[0] },
      });
      this.#name.value = '';
      if (this.#isActive) status.announce(`${name} is saved`);
      await this.#load();
    }, true);
  }

  /** A session takes the place of what is shown: its text, tokenizers and switches. */
  #open(id) {
    return this.#try(async () => {
      const report = await this.#opening.run(() => openReport(id));
      if (!report || !this.#isActive) return; // another one was opened since, or another screen
      const { settings, catalog, session, router } = this.#context;
      const { name, text, view, results, add_special_tokens: addSpecialTokens, specials } = report;
      const { screen, ...values } = view;
      const all = results.map(({ tokenizer }) => tokenizer);
      const here = all.filter(tokenizer => catalog.entry(tokenizer)?.available);
      settings.accept({ ...values, addSpecialTokens, specials, ...(here.length ? { chosen: here } : {}) });
      session.setText(text, { name, encoding: 'UTF-8' });
      router.go(SCREENS.includes(screen) ? screen : here.length > 1 ? 'compare' : 'inspect');
      const missing = all.filter(tokenizer => !here.includes(tokenizer));
      if (missing.length) this.#tellMissing(name, missing, here.length > 0);
    });
  }

  #tellMissing(name, missing, areSomeHere) {
    const which = areSomeHere ? '' : ' It is shown with the tokenizers that were in use.';
    const are = missing.length === 1 ? 'is' : 'are';
    this.#context.status.showError(
      Object.assign(new Error(`“${name}” was saved with ${missing.join(', ')}, which ${are} not installed.${which}`), {
        hint: 'Add what is missing, then open the session once more.',
      }),
      { sticky: true },
    );
  }

  #run(id) {
    return this.#try(async () => {
      if (!this.#running.has(id)) this.#running.set(id, new Latest());
      const changes = await this.#running.get(id).run(() => runReport(id));
      if (!changes) return;
      this.#changes.set(id, changes);
      this.#draw();
      if (!this.#isActive) return;
      this.#context.status.announce(this.#changes.get(id).every(({ same }) => same) ? 'No changes' : 'Results differ');
    });
  }

  #delete(id) {
    return this.#try(async () => {
      await deleteReport(id);
      await this.#load();
    }, true);
  }

  /**
   * @param {() => Promise<void>} work
   * @param {boolean} [isWrite] it changes what is saved: if it fails while another screen is shown, this one says
   *   so later
   */
  #try(work, isWrite = false) {
    return this.#context.activity.track(
      (async () => {
        try {
          await work();
        } catch (error) {
          if (this.#isActive || isWrite) this.#context.status.showError(error);
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
        confirmButton({ label: 'Delete', name, act: () => this.#delete(id) }),
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
