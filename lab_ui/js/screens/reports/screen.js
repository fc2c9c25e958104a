/**
 * Reports: saved sessions, to open, to compare with now, to send as a file, and to delete; and the results of the other
 * screens, each with its report as a file.
 */
import { listLabels, putLabel } from '../../api/reports.js';
import { saveFile } from '../../app/files/files.js';
import { Screen } from '../../app/screen.js';
import { actionButton, all, h } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { Latest } from '../../util/latest.js';
import { ResultsSection, SECTIONS } from './results_section.js';
import { SessionsPanel } from './sessions.js';

export default class ReportsScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  isActive = false;
  #name = h('input', {
    type: 'text',
    id: 'session-name',
    maxLength: 200,
    placeholder: 'Name of the session',
    'data-role': 'session-name',
  });
  #file = fileChooser('session-file', ([file]) => this.#sessions.openFile(file), { accept: '.json,application/json' });
  #sessions = new SessionsPanel(this);
  #work = h('div', { class: 'reports-work' });
  #sections = SECTIONS.map(
    of =>
      new ResultsSection({
        ...of,
        open: id => this.#context.router.go(...of.linkTo(id)),
        save: (id, format) => this.save(() => of.file(id, format, this.#context.settings.get('chosen'))),
        remove: id => this.remove(() => of.remove(id)),
        label: (id, label) => this.label(of.kind, id, label),
      }),
  );
  #resultRequests = new Latest();

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    /** @param {SubmitEvent} event */
    const save = event => {
      event.preventDefault();
      this.#sessions.save(this.#name.value.trim(), () => {
        this.#name.value = '';
      });
    };
    this.#sessions.mount(context);
    this.#work.append(this.#sessions.empty, this.#sessions.element, ...this.#sections.map(({ element }) => element));
    root.append(
      h(
        'div',
        { class: 'reports' },
        h(
          'form',
          { class: 'tools', onsubmit: save },
          h('h1', {}, 'Reports'),
          h('span', { class: 'grow' }),
          actionButton('Open a session’s file…', () => this.#file.click()),
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
    this.isActive = true;
    await this.load();
  }
  deactivate() {
    this.isActive = false;
  }
  destroy() {
    super.destroy();
    this.#sessions.destroy();
    this.#resultRequests.stop();
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

  /** @returns {import('../../app/commands/command.js').Command[]} */
  get commands() {
    return [
      { label: 'Save this session', run: () => this.focusText() },
      { label: 'Open a session’s file', also: 'colleague import json', run: () => this.#file.click() },
    ];
  }

  /** Lists everything, with the names and notes that somebody gave. */
  load() {
    const notes = listLabels().then(notesOf);
    return Promise.all([this.#sessions.load(notes), this.#loadResults(notes)]);
  }

  /** @param {Promise<Map<string, string>>} noted names and notes, by kind and id */
  #loadResults(noted) {
    return this.try(async () => {
      const found = await this.#resultRequests.run(signal =>
        Promise.all([noted, ...SECTIONS.map(({ list }) => list(signal))]),
      );
      if (!found) return;
      const [notes, ...lists] = found;
      /** @param {string} id */
      const nameOf = id => this.#context.catalog.nameOf(id);
      SECTIONS.forEach(({ kind, results }, n) => {
        const found = results(lists[n], nameOf);
        this.#sections[n].show(found.map(result => ({ ...result, note: notes.get(`${kind} ${result.id}`) ?? '' })));
      });
    });
  }

  /** @param {() => Promise<{name: string, data: Blob}>} file */
  save(file) {
    return this.try(async () => {
      const { name, data } = await file();
      saveFile(name, data);
      if (this.isActive) this.#context.status.announce(`${name} is saved`);
    });
  }

  /** @param {() => Promise<unknown>} remove a result */
  remove(remove) {
    return this.try(async () => {
      await remove();
      await this.load();
    }, true);
  }

  /**
   * Keeps a name and a note, and shows them: the row is another one, so the focus is taken back to its button.
   * @param {import('../../api/schema.d.ts').Label['kind']} kind @param {number} id
   * @param {{name: string|null, note: string}} label
   */
  label(kind, id, label) {
    return this.try(async () => {
      await putLabel({ kind, id, ...label });
      await this.load();
      const [button] = all(this.#work, `[data-${kind}="${id}"] .label-button`);
      button?.focus();
    }, true);
  }

  /**
   * @param {() => Promise<void>} work
   * @param {boolean} [isWrite] it changes what is saved: if it fails while another screen is shown, this one says
   *   so later
   */
  try(work, isWrite = false) {
    return this.#context.activity.track(
      (async () => {
        try {
          await work();
        } catch (error) {
          if (this.isActive || isWrite) this.#context.status.showError(error);
        }
      })(),
    );
  }
}

/** Notes by kind and id. @param {import('../../api/schema.d.ts').Label[]} labels @returns {Map<string, string>} */
const notesOf = labels => new Map(labels.map(({ kind, id, note }) => [`${kind} ${id}`, note]));
