/**
 * The saved sessions: to open, to compare with now, to save as a file and to delete. Gets `load`; what fails goes to
 * the screen.
 */
import {
  deleteSession,
  listSessions,
  openSession,
  openSessionFile,
  runSession,
  saveSession,
  sessionFile,
} from '../../api/reports.js';
import { Panel } from '../../app/panel.js';
import { h, setText, update } from '../../ui/dom.js';
import { count, plural } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { emptyReports } from './example.js';
import { changesWords, sessionCard, showChanges } from './session_card.js';

/** The screens that show a text: a session is opened on the one it was saved from. */
const SCREENS = ['inspect', 'compare', 'chat'];
const NAME_LENGTH = 48;

/**
 * @typedef {Object} Host the screen
 * @property {boolean} isActive
 * @property {(work: () => Promise<void>, isWrite?: boolean) => Promise<void>} try `isWrite`: see the screen
 * @property {() => Promise<unknown>} load lists everything again
 * @property {(remove: () => Promise<unknown>) => Promise<void>} remove
 * @property {(kind: import('../../api/schema.d.ts').Label['kind'], id: number, label: {name: string|null, note:
 *   string}) => Promise<void>} label
 * @property {(file: () => Promise<{name: string, data: Blob}>) => Promise<void>} save
 */
export class SessionsPanel extends Panel {
  #screen;
  #list = h('ul', { class: 'sessions' });
  #heading = h('h2', { hidden: true });
  empty = h(emptyReports(), { hidden: true });
  element = h('section', {}, this.#heading, this.#list);
  /** @type {import('../../api/schema.d.ts').SessionSummary[]} */
  #sessions = [];
  /** Notes, by kind and id. @type {Map<string, string>} */
  #notes = new Map();
  /** @type {Map<number, import('../../api/schema.d.ts').SessionChanges>} */
  #changes = new Map();
  #requests = new Latest();
  #opening = new Latest();
  /** @type {Map<number, Latest>} */
  #running = new Map();

  /** @param {Host} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
  }

  destroy() {
    for (const work of [this.#requests, this.#opening, ...this.#running.values()]) work.stop();
  }

  /** @param {string} wanted its name; empty: the beginning of the text @param {() => void} saved */
  save(wanted, saved) {
    const { settings, session, router, status } = this.context;
    const name = wanted || usualName(session.text);
    return this.#screen.try(async () => {
      await saveSession({
        name,
        tokenizers: settings.get('chosen'),
        text: session.text,
        addSpecialTokens: settings.get('addSpecialTokens'),
        specials: settings.get('specials'),
        view: { ...settings.view, screen: router.latestOf(SCREENS) ?? SCREENS[0] },
      });
      saved();
      if (this.#screen.isActive) status.announce(`${name} is saved`);
      await this.#screen.load();
    }, true);
  }

  /** A session takes the place of what is shown: its text, tokenizers and switches. @param {number} id */
  #open(id) {
    return this.#screen.try(async () => {
      const found = await this.#opening.run(() => openSession(id));
      if (!found || !this.#screen.isActive) return; // another one was opened since, or another screen
      const { settings, catalog, session, router } = this.context;
      const { name, text, view, results, add_special_tokens: addSpecialTokens, specials } = found;
      const { screen, ...values } = view;
      const all = results.map(({ tokenizer }) => tokenizer);
      const here = all.filter(tokenizer => catalog.entry(tokenizer)?.available);
      settings.acceptView({ ...values, addSpecialTokens, specials, ...(here.length ? { chosen: here } : {}) });
      session.setText(text, { name, encoding: 'UTF-8' });
      router.go(
        typeof screen === 'string' && SCREENS.includes(screen) ? screen : here.length > 1 ? 'compare' : 'inspect',
      );
      const missing = all.filter(tokenizer => !here.includes(tokenizer));
      if (missing.length) this.#showMissing(name, missing, here.length > 0);
    });
  }

  /** @param {string} name @param {string[]} missing @param {boolean} areSomeHere */
  #showMissing(name, missing, areSomeHere) {
    const which = areSomeHere ? '' : ' It is shown with the tokenizers that were in use.';
    const are = missing.length === 1 ? 'is' : 'are';
    this.context.status.showError(
      Object.assign(new Error(`“${name}” was saved with ${missing.join(', ')}, which ${are} not installed.${which}`), {
        hint: 'Add what is missing, then open the session once more.',
      }),
      { sticky: true },
    );
  }

  /** @param {number} id */
  #compare(id) {
    return this.#screen.try(async () => {
      const running = this.#running.get(id) ?? new Latest();
      this.#running.set(id, running);
      const found = await running.run(() => runSession(id));
      if (!found) return;
      this.#changes.set(id, found);
      this.#draw();
      if (this.#screen.isActive) this.context.status.announce(changesWords(found));
    });
  }

  /** Takes a session that was saved as a file. @param {File} file */
  openFile(file) {
    return this.#screen.try(async () => {
      await refuseOthers(file);
      await openSessionFile(file);
      await this.#screen.load();
      if (this.#screen.isActive) this.context.status.announce(`${file.name} is among the sessions`);
    }, true);
  }

  /** Reads the list. @param {Promise<Map<string, string>>} notes by kind and id */
  load(notes) {
    return this.#screen.try(async () => {
      const found = await this.#requests.run(() => Promise.all([listSessions(), notes]));
      if (!found) return;
      [this.#sessions, this.#notes] = found;
      if (this.#screen.isActive) this.context.status.note(plural(this.#sessions.length, 'saved session'));
      this.#draw();
    });
  }

  #draw() {
    this.empty.hidden = this.#sessions.length > 0;
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

  /** @param {number} id */
  #noteOf(id) {
    return this.#notes.get(`session ${id}`) ?? '';
  }

  /** @param {import('../../api/schema.d.ts').SessionSummary} session */
  #card(session) {
    const { id } = session;
    return sessionCard(session, this.#noteOf(id), {
      open: () => this.#open(id),
      compare: () => this.#compare(id),
      save: () => this.#screen.save(() => sessionFile(id)),
      remove: () => this.#screen.remove(() => deleteSession(id)),
      label: label => this.#screen.label('session', id, label),
    });
  }
}

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
