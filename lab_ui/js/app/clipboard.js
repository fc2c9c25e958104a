/** Copies to the clipboard, and says what became of it. */
export class Clipboard {
  #announce;

  /** @param {(message: string) => void} announce */
  constructor(announce) {
    this.#announce = announce;
  }

  /**
   * @param {string} text
   * @param {string} message said if it worked
   * @returns {Promise<string>} what was said
   */
  async copy(text, message) {
    const said = (await this.write(text)) ? message : 'Not copied: clipboard access is blocked.';
    this.#announce(said);
    return said;
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
