/** The templates that a tokenizer has, those of the lab, and which one is used. */
import { OWN, USUAL } from './settings.js';

export class Templates {
  #client;
  #tokenizer = '';
  /** @type {string[]} names of the tokenizer's own */
  own = [];
  builtIn = ['chatml', 'harmony'];

  /** @param {Pick<typeof import('../../api/chat.js'), 'chatTemplates'>} client */
  constructor(client) {
    this.#client = client;
  }

  /** @param {string|null} tokenizer @param {AbortSignal} signal */
  async load(tokenizer, signal) {
    if (!tokenizer || tokenizer === this.#tokenizer) return;
    const found = await this.#client.chatTemplates(tokenizer, signal);
    this.#tokenizer = tokenizer;
    [this.own, this.builtIn] = [found.templates, found.built_in];
  }

  /** They are read again by the next `load`. */
  forget() {
    this.#tokenizer = '';
  }

  /** The one that is used. @param {string} asked the choice of a person */
  used(asked) {
    const { own, builtIn } = this;
    if (asked !== USUAL && [...own, ...builtIn, OWN].includes(asked)) return asked;
    return own.includes('default') ? 'default' : (own[0] ?? builtIn[0]);
  }
}
