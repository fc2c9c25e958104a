/** Screens have addresses: `#/inspect`. Reports the name of the screen, the first one for an address that is none. */
import { readPermalink } from './permalink.js';

/**
 * @param {string[]} names of the screens that exist
 * @param {(name: string, values: Object|null, text: string|null) => void} show also told what the address says beside
 *   the name
 */
export function startRouter(names, show) {
  const go = () => {
    const { screen, values, text } = readPermalink(location.hash);
    show(names.includes(screen) ? screen : names[0], values, text);
  };
  addEventListener('hashchange', go);
  go();
}
