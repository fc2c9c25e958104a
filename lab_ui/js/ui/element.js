/**
 * The base of the page's custom elements: contents made once, events that stay with their element, and a life that ends
 * when the element leaves the page.
 *
 * A subclass overrides `render` (called once) and `connected` (called each time the element enters the page).
 * Listeners, observers and timers that reach outside of the element belong into `connected` and end with its signal.
 */
export class LabElement extends HTMLElement {
  /** @type {AbortController|null} */
  #life = null;
  #rendered = false;

  connectedCallback() {
    if (!this.#rendered) {
      this.#rendered = true;
      this.render();
    }
    if (this.#life) return; // it was moved
    this.#life = new AbortController();
    this.connected(this.#life.signal);
  }

  /** Moving an element disconnects and connects it again in one task: only the end of the task shows which it was. */
  disconnectedCallback() {
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  /** Makes the element's contents. */
  render() {}

  /** Starts what lasts while the element is in the page. @param {AbortSignal} _life aborted when it leaves the page */
  connected(_life) {}

  /** Takes the element out of the page for good. */
  destroy() {
    this.remove();
    this.#end();
  }

  /**
   * Reports to whoever listens to this element. The event does not bubble: a component around it has names of its own.
   * @param {string} type a name that no event of the browser has; a rule in `tests/rules` refuses those
   * @param {any} [detail]
   */
  emit(type, detail = null) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #end() {
    this.#life?.abort();
    this.#life = null;
  }
}

/**
 * Observes the size of an element until `signal` is aborted.
 * @param {Element} element @param {() => void} handler @param {AbortSignal} signal
 */
export function onResize(element, handler, signal) {
  const observer = new ResizeObserver(handler);
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
}

/**
 * Calls `handler` when the page's theme or text size changes, until `signal` is aborted.
 * @param {() => void} handler @param {AbortSignal} signal
 */
export function onTheme(handler, signal) {
  const observer = new MutationObserver(handler);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'style'] });
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
}
