/** Remembers the settings in the backend, and the text over a reload of the page. */
import { Preferences } from '../api/preferences.js';
import { SAMPLES } from '../text/samples.js';
import { keepText, keptText } from './kept_text.js';

export class Remembering {
  #settings;
  #session;
  #preferences;

  /**
   * @param {import('./settings.js').Settings} settings
   * @param {import('../text/session.js').TextSession} session
   * @param {Preferences} [preferences]
   */
  constructor(settings, session, preferences = new Preferences()) {
    this.#settings = settings;
    this.#session = session;
    this.#preferences = preferences;
  }

  /** Takes over what was remembered. */
  async restore() {
    this.#settings.accept(await this.#preferences.load());
    const { text, source } = keptText() ?? { text: SAMPLES[0].text };
    this.#session.setText(text, source);
  }

  /** Remembers every change from now on. */
  start() {
    this.#settings.on(null, () => this.#preferences.save(this.#settings.remembered));
    addEventListener('pagehide', () => {
      keepText(this.#session);
      this.#preferences.flush();
    });
  }
}
