/** A window with an address and a history, as far as the router uses them. */
export function fakeWindow(hash = '') {
  const entries = [{ hash, state: null }];
  let at = 0;
  let listener = () => {};
  const now = () => entries[at];
  const location = {
    get hash() {
      return now().hash;
    },
    set hash(hash) {
      if (hash === now().hash) return;
      entries.splice(++at, entries.length, { hash, state: null });
      listener();
    },
  };
  const history = {
    get state() {
      return now().state;
    },
    replaceState: (state, _, hash) => Object.assign(now(), { hash, state }),
    back: () => {
      at--;
      listener();
    },
  };
  const window = { location, history, addEventListener: (_, act) => (listener = act) };
  return { window: /** @type {any} */ (window), entries };
}
