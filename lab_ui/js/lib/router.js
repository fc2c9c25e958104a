/** Screens have addresses: `#/inspect`. Reports the name of the screen, the first one for an address that is none. */

/** @param {string[]} names of the screens that exist @param {(name: string) => void} show */
export function startRouter(names, show) {
  const go = () => {
    const name = location.hash.replace(/^#\/?/, '').split('?')[0];
    show(names.includes(name) ? name : names[0]);
  };
  addEventListener('hashchange', go);
  go();
}
