/** Remembers the settings in the backend, and the text over a reload of the page. */
import { LabError } from '../../api/client.js';
import { Preferences } from '../../api/preferences.js';
import { SAMPLES } from '../../text/samples.js';
import { count } from '../../util/format.js';
import { LONGEST, keepText, keptText, lostLength } from './kept_text.js';

export class Remembering {
  #settings;
  #session;
  #preferences;
  /** Whether the preferences could be read; otherwise saving would put defaults in their place. */
  #areRead = false;

  /**
   * @param {import('./settings.js').Settings} settings
   * @param {import('../../text/session.js').TextSession} session
   * @param {(error: import('./status.js').Failure) => void} showError
   */
  constructor(settings, session, showError) {
    this.#settings = settings;
    this.#session = session;
    this.#preferences = new Preferences(error => showError(notSaved(error)));
  }

  /**
   * Takes over what was remembered.
   * @returns {Promise<import('./status.js').Failure|null>} why the settings or the text before the reload are lost
   */
  async restore() {
    let failure = null;
    const preferences = await this.#preferences.load().catch(error => {
      failure = notRead(error);
      return null;
    });
    this.#areRead = preferences !== null;
    this.#settings.accept(preferences ?? {});
    const { text, source } = keptText() ?? { text: SAMPLES[0].text };
    this.#session.setText(text, source);
    const lost = lostLength();
    return failure ?? (lost === null ? null : notKept(lost));
  }

  /** Remembers every change from now on; the settings only if those before could be read. */
  start() {
    if (this.#areRead)
      this.#settings.on(null, changed =>
        this.#preferences.save(Object.fromEntries([...changed].map(name => [name, this.#settings.get(name)]))),
      );
    addEventListener('pagehide', () => {
      keepText(this.#session);
      this.#preferences.flush({ isClosing: true });
    });
  }
}

/** @param {LabError} error @returns {import('./status.js').Failure} */
const notSaved = error => explained(error, 'were not saved');

/** @param {LabError} error @returns {import('./status.js').Failure} */
const notRead = error => explained(error, 'could not be read, and changes are not saved');

/** @param {LabError} error @param {string} what */
const explained = ({ code, message, hint }, what) =>
  new LabError(code, `The settings and prepared texts ${what}: ${message}.`.replace(/\.\.$/, '.'), hint);

/** @param {number} units UTF-16 code units of the text @returns {import('./status.js').Failure} */
const notKept = units =>
  Object.assign(new Error(`The text of ${count(units)} UTF-16 code units was not kept over the reload.`), {
    hint: `A reload keeps at most ${count(LONGEST)} of them. Open the file again, or paste the text once more.`,
  });
