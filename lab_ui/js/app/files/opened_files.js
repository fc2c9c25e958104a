/**
 * Shows the files that were named on the command line, `tokenlab FILE...`. The address says that some wait:
 * `?opened=1` when the page is loaded, `#/opened` at any time. Neither is a screen; both give way to the address of
 * the screen that is shown.
 */
import { openWaitingFiles } from '../../api/opened_files.js';
import { listed } from '../../util/format.js';
/** @import {OpenedFile} from '../../api/schema.d.ts' */

const ADDRESS = '#/opened';

export class OpenedFiles {
  #context;
  #shell;
  #dialog;
  #status;
  #client;

  /**
   * @param {Pick<import('../context.js').Context, 'session'|'catalog'|'settings'|'jobs'|'router'|'activity'>}
   *   context
   * @param {{screen: {showsText: boolean}|null}} shell
   * @param {Pick<import('../tokenizers/tokenizer_dialog.js').TokenizerDialog, 'addFiles'>} dialog
   * @param {Pick<import('../state/status.js').Status, 'shown'|'announce'|'showSticky'>} status
   * @param {{openWaitingFiles: typeof openWaitingFiles}} [client]
   */
  constructor(context, shell, dialog, status, client = { openWaitingFiles }) {
    this.#context = context;
    this.#shell = shell;
    this.#dialog = dialog;
    this.#status = status;
    this.#client = client;
  }

  /**
   * Takes files whenever the address says so. Call it before the router starts.
   * @returns {boolean} whether some wait already: call `open` when the first screen is shown
   */
  start() {
    addEventListener('hashchange', event => {
      if (location.hash !== ADDRESS) return;
      event.stopImmediatePropagation(); // the router would leave the screen
      history.replaceState({ seen: true }, '', new URL(event.oldURL).hash);
      this.open();
    });
    if (location.hash !== ADDRESS && !new URLSearchParams(location.search).has('opened')) return false;
    history.replaceState(null, '', `${location.pathname}#/`);
    return true;
  }

  /** Opens the files that wait, and says once what could not be opened. */
  open() {
    return this.#context.activity.track(this.#open());
  }

  async #open() {
    /** @type {OpenedFile[]} */
    let files = [];
    /** @type {(Error & {hint?: string})[]} */
    const problems = [];
    const done = this.#status.shown.startProgress('Opening the files…');
    try {
      files = await this.#client.openWaitingFiles();
      const shown = [];
      for (const file of files) {
        try {
          if (await this.#show(file)) shown.push(file.name);
        } catch (error) {
          problems.push(/** @type {Error} */ (error));
        }
      }
      if (shown.length) this.#status.announce(`${listed(shown)} opened`);
    } catch (error) {
      problems.push(/** @type {Error} */ (error));
    } finally {
      done();
    }
    if (problems.length) this.#status.showSticky(together(problems, files.length));
  }

  /**
   * @param {OpenedFile} file
   * @returns {Promise<boolean>} false: it was stopped
   * @throws {Error} why it cannot be shown
   */
  async #show({ name, kind, text, encoding, tokenizer, job, problem }) {
    const { session, catalog, settings, jobs, router } = this.#context;
    if (problem) throw Object.assign(new Error(problem.message), { hint: problem.hint });
    if (kind === 'rank file') {
      await this.#dialog.addFiles([new File([text ?? ''], name)]); // asks for its split pattern
    } else if (tokenizer) {
      await catalog.renew(tokenizer);
      settings.set({ active: tokenizer });
    } else if (job) {
      const corpus = await jobs.follow(job);
      if (!corpus) return false;
      if (corpus.columns.length) settings.set({ showPanel: true }); // which were taken for text and language
      router.go('corpus', { corpus: corpus.id, ...(corpus.columns.length ? { side: 'settings' } : {}) });
    } else {
      session.setText(text ?? '', { name, encoding: encoding ?? '' });
      if (!this.#shell.screen?.showsText) router.go('inspect');
    }
    return true;
  }
}

/** One error that says all. @param {(Error & {hint?: string})[]} problems @param {number} files */
function together(problems, files) {
  if (problems.length === 1) return problems[0];
  const words = problems.map(({ message }) => message).join('; ');
  const hints = new Set(problems.map(({ hint }) => hint).filter(Boolean));
  return Object.assign(new Error(`${problems.length} of ${files} files could not be opened: ${words}`), {
    hint: [...hints].join(' '),
  });
}
