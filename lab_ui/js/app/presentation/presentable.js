/** A screen that can be presented: the address says whether the screen or its presentation is shown (`present.js`). */
import { isPresenting } from './present.js';

/**
 * @typedef {import('../screen.js').Screen & {from: string, rest?: URLSearchParams, onLeave: () => void, returnFocus: ()
 *   => void}} Presenter `from`: the screen that the presentation was begun on, or ""; `rest`: what the screen shows
 *   afterwards; `onLeave` is called when it is to end
 */

/**
 * Makes a screen that has a presentation. While that is shown, the screen itself rests.
 * @template {new (...args: any[]) => import('../screen.js').Screen} Base
 * @param {Base} Usual
 * @param {new () => Presenter} PresenterClass mounted into the same root as the screen
 */
export const presentable = (Usual, PresenterClass) =>
  class extends Usual {
    #presenter = new PresenterClass();
    #presents = false;
    /** What the screen itself shows. @type {HTMLElement[]} */
    #parts = [];
    /** @type {import('../state/router.js').Router} */
    #router;
    #name = '';

    /** @param {HTMLElement} root @param {import('../context.js').Context} context */
    mount(root, context) {
      super.mount(root, context);
      this.#router = context.router;
      this.#parts = /** @type {HTMLElement[]} */ ([...root.children]);
      this.#presenter.mount(root, context);
      this.#presenter.onLeave = () => this.#end();
      const onNavigate = (/** @type {Event} */ event) => this.#onNavigate(/** @type {CustomEvent} */ (event).detail);
      this.#router.addEventListener('navigate', onNavigate, { signal: this.life });
    }

    /** @param {URLSearchParams} params @param {AbortSignal} signal */
    activate(params, signal) {
      this.#name = this.#router.screen;
      this.#presents = isPresenting(params);
      for (const part of this.#parts) part.hidden = this.#presents;
      return this.#presents ? this.#presenter.activate(params, signal) : super.activate(params, signal);
    }

    deactivate() {
      if (!this.#presents) {
        super.deactivate();
        return;
      }
      this.#presents = false;
      this.#presenter.deactivate();
      if (this.#router.screen !== this.#name) this.#router.replace(this.#name, this.#rest);
    }

    destroy() {
      super.destroy();
      this.#presenter.destroy();
    }

    get exportable() {
      return this.#presents ? null : super.exportable;
    }

    get commands() {
      return this.#presents ? this.#presenter.commands : super.commands;
    }

    focusText() {
      if (this.#presents) this.#presenter.focusText();
      else super.focusText();
    }

    renew() {
      if (this.#presents) this.#presenter.renew();
      else super.renew();
    }

    stop() {
      return this.#presents ? this.#presenter.stop() : super.stop();
    }

    /**
     * The address of the screen without its presentation was opened: Back, or a link.
     * @param {{name: string, query: URLSearchParams}} address
     */
    #onNavigate({ name, query }) {
      if (this.#presents && name === this.#name && !isPresenting(query)) this.#end(false);
    }

    get #rest() {
      return this.#presenter.rest ?? new URLSearchParams();
    }

    /** Shows what was there before the presentation. @param {boolean} [goesBack] to the screen it was begun on */
    #end(goesBack = true) {
      const { from } = this.#presenter;
      const rest = this.#rest;
      this.deactivate();
      this.#router.replace(this.#name, rest);
      if (goesBack && from) this.#router.go(from);
      else {
        this.activate(rest, this.life);
        this.#presenter.returnFocus();
      }
    }
  };
