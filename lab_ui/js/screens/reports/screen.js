/**
 * Reports: saved sessions, to open, to compare with now, to send as a file, and to delete; and the results of the other
 * screens, each with its report as a file.
 */
import {
  deleteSession,
  listLabels,
  listSessions,
  openSession,
  openSessionFile,
  putLabel,
  runSession,
  saveSession,
  sessionFile,
} from '../../api/reports.js';
import { saveFile } from '../../app/files.js';
import { Screen } from '../../app/screen.js';
import { all, h, setText, update } from '../../ui/dom.js';
import { count, plural } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { emptyReports } from './example.js';
import { ResultsSection, SECTIONS } from './results_section.js';
import { changesWords, sessionCard, showChanges } from './session_card.js';

/** The screens that show a text: a session is opened on the one it was saved from. */
const SCREENS = ['inspect', 'compare'];
const NAME_LENGTH = 48;

export default class ReportsScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #name = h('input', {
    type: 'text',
    id: 'session-name',
    maxLength: 200,
    placeholder: 'Name of the session',
    'data-role': 'session-name',
  });
  #file = h('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    'data-role': 'session-file',
    onchange: () => this.#openFile(),
  });
  #list = h('ul', { class: 'sessions' });
  #work = h('div', { class: 'reports-work' });
  #empty = emptyReports();
  #heading = h('h2', { hidden: true });
  #sections = SECTIONS.map(
    of =>
      new ResultsSection({
        ...of,
        open: id => this.#context.router.go(...of.linkTo(id)),
        save: (id, format) => this.#saveReport(() => of.file(id, format, this.#context.settings.get('chosen'))),
        remove: id => this.#remove(() => of.remove(id)),
        label: (id, label) => this.#label(of.kind, id, label),
      }),
  );
  #sessions = [];
  /** Names and notes, by kind and id. @type {Map<string, string>} */
  #notes = new Map();
  #changes = new Map();
  #requests = new Latest();
  #resultRequests = new Latest();
  #opening = new Latest();
  #running = new Map();

  mount(root, context) {
    this.#context = context;
    const save = event => {
      event.preventDefault();
      this.#save();
    };
    this.#empty.hidden = true;
    this.#work.append(
      this.#empty,
      h('section', {}, this.#heading, this.#list),
      ...this.#sections.map(({ element }) => element),
    );
    root.append(
      h(
        'div',
        { class: 'reports' },
        h(
          'form',
          { class: 'tools', onsubmit: save },
          h('h1', {}, 'Reports'),
          h('span', { class: 'grow' }),
          h(
            'button',
            { type: 'button', class: 'button framed', onclick: () => this.#file.click() },
            'Open a session’s file…',
          ),
          this.#file,
          h('label', { for: 'session-name', class: 'visually-hidden' }, 'Name of the session'),
          this.#name,
          h('button', { type: 'submit', class: 'button primary' }, 'Save this session'),
        ),
        this.#work,
      ),
    );
  }

  async activate() {
    this.#isActive = true;
    await this.#load();
  }
  deactivate() {
    this.#isActive = false;
  }
  destroy() {
    super.destroy();
    for (const work of [this.#requests, this.#resultRequests, this.#opening, ...this.#running.values()]) work.stop();
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
    return [
      { label: 'Save this session', run: () => this.focusText() },
      { label: 'Open a session’s file', also: 'colleague import json', run: () => this.#file.click() },
    ];
  }

  /** Lists everything, with the names and notes that somebody gave. */
  #load() {
    const labels = listLabels();
    return Promise.all([this.#loadSessions(labels), this.#loadResults(labels)]);
  }

  /** @param {Promise<import('../../api/reports.js').Label[]>} labels */
  #loadSessions(labels) {
    return this.#try(async () => {
      const found = await this.#requests.run(() => Promise.all([listSessions(), labels]));
      if (!found) return;
      const [sessions, given] = found;
      this.#sessions = sessions;
      this.#notes = notesOf(given);
      if (this.#isActive) this.#context.status.note(plural(sessions.length, 'saved session'));
      this.#draw();
    });
  }

  /** @param {Promise<import('../../api/reports.js').Label[]>} labels */
  #loadResults(labels) {
    return this.#try(async () => {
      const found = await this.#resultRequests.run(signal =>
        Promise.all([labels, ...SECTIONS.map(({ list }) => list(signal))]),
      );
      if (!found) return;
      const [given, ...lists] = found;
      const notes = notesOf(given);
      const nameOf = id => this.#context.catalog.nameOf(id);
      SECTIONS.forEach(({ kind, results }, n) => {
        const noted = result => ({ ...result, note: notes.get(`${kind} ${result.id}`) ?? '' });
        this.#sections[n].show(results(lists[n], nameOf).map(noted));
      });
    });
  }

  /** @param {() => Promise<{name: string, data: Blob}>} report */
  #saveReport(report) {
    return this.#try(async () => {
      const { name, data } = await report();
      saveFile(name, data);
      if (this.#isActive) this.#context.status.announce(`${name} is saved`);
    });
  }

  #save() {
    const { settings, session, router, status } = this.#context;
    const name = this.#name.value.trim() || usualName(session.text);
    return this.#try(async () => {
      await saveSession({
        name,
        tokenizers: settings.get('chosen'),
        text: session.text,
        addSpecialTokens: settings.get('addSpecialTokens'),
        specials: settings.get('specials'),
        view: { ...settings.view, screen: router.latestOf(SCREENS) ?? SCREENS[0] },
      });
      this.#name.value = '';
      if (this.#isActive) status.announce(`${name} is saved`);
      await this.#load();
    }, true);
  }

  /** A session takes the place of what is shown: its text, tokenizers and switches. */
  #open(id) {
    return this.#try(async () => {
      const found = await this.#opening.run(() => openSession(id));
      if (!found || !this.#isActive) return; // another one was opened since, or another screen
      const { settings, catalog, session, router } = this.#context;
      const { name, text, view, results, add_special_tokens: addSpecialTokens, specials } = found;
      const { screen, ...values } = view;
      const all = results.map(({ tokenizer }) => tokenizer);
      const here = all.filter(tokenizer => catalog.entry(tokenizer)?.available);
      settings.acceptView({ ...values, addSpecialTokens, specials, ...(here.length ? { chosen: here } : {}) });
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

  #compare(id) {
    return this.#try(async () => {
      if (!this.#running.has(id)) this.#running.set(id, new Latest());
      const found = await this.#running.get(id).run(() => runSession(id));
      if (!found) return;
      this.#changes.set(id, found);
      this.#draw();
      if (this.#isActive) this.#context.status.announce(changesWords(found));
    });
  }

  #saveToFile(id) {
    return this.#try(async () => {
      const { name, data } = await sessionFile(id);
      saveFile(name, data);
      if (this.#isActive) this.#context.status.announce(`${name} is saved`);
    });
  }

  #openFile() {
    const file = this.#file.files?.[0];
    this.#file.value = ''; // the same file may be chosen again
    return this.#try(async () => {
      if (!file) return;
      await refuseOthers(file);
      await openSessionFile(file);
      await this.#load();
      if (this.#isActive) this.#context.status.announce(`${file.name} is among the sessions`);
    }, true);
  }

  /** @param {() => Promise<unknown>} remove a result */
  #remove(remove) {
    return this.#try(async () => {
      await remove();
      await this.#load();
    }, true);
  }

  /** Keeps a name and a note, and shows them: the row is another one, so the focus is taken back to its button. */
  #label(kind, id, label) {
    return this.#try(async () => {
      await putLabel({ kind, id, ...label });
      await this.#load();
      const [button] = all(this.#work, `[data-${kind}="${id}"] .label-button`);
      button?.focus();
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
    this.#empty.hidden = this.#sessions.length > 0;
    this.#heading.hidden = this.#sessions.length === 0;
    setText(this.#heading, `Sessions (${count(this.#sessions.length)})`);
    update(
      this.#list,
      this.#sessions,
      ({ id, name }) => JSON.stringify([id, name, this.#noteOf(id)]),
      session => this.#card(session),
      (card, session) => showChanges(card, session, this.#changes.get(session.id)),
    );
  }

  #noteOf(id) {
    return this.#notes.get(`session ${id}`) ?? '';
  }

  #card(session) {
    const { id } = session;
    return sessionCard(session, this.#noteOf(id), {
      open: () => this.#open(id),
      compare: () => this.#compare(id),
      save: () => this.#saveToFile(id),
      remove: () => this.#remove(() => deleteSession(id)),
      label: label => this.#label('session', id, label),
    });
  }
}

/** Notes by kind and id. @param {import('../../api/reports.js').Label[]} labels @returns {Map<string, string>} */
const notesOf = labels => new Map(labels.map(({ kind, id, note }) => [`${kind} ${id}`, note]));

/** The beginning of a text, in whole characters. @param {string} text */
function usualName(text) {
  const line = text.trim().split(/\n/)[0];
  const beginning = [...line].slice(0, NAME_LENGTH).join('');
  return beginning ? beginning + (beginning.length < line.length ? '…' : '') : 'No text';
}

/** Refuses what does not begin as a session does, before it is sent. @param {File} file */
async function refuseOthers(file) {
  const beginning = await file.slice(0, 100).text();
  if (beginning.trimStart().startsWith('{')) return;
  throw Object.assign(new Error(`${file.name} is not a session.`), {
    hint: 'Choose a file that “Save to a file” wrote.',
  });
}
