/** Copies to the clipboard and shows whether it worked. */
export class Clipboard {
  #announce;

  /** @param {(message: string) => void} announce */
  constructor(announce) {
    this.#announce = announce;
  }

  /**
   * @param {string} text
   * @param {string} message to show if it worked
   * @returns {Promise<string>} the message that was shown
   */
  async copy(text, message) {
    const shown = (await this.write(text)) ? message : 'Not copied: clipboard access is blocked.';
    this.#announce(shown);
    return shown;
  }

  /** @param {string} text @returns {Promise<boolean>} false: the browser refuses */
  async write(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
}
