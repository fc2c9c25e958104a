/**
 * A window with an address and a history, as far as the router uses them. `isSlow`: as in a browser, `hashchange` comes
 * later, with `deliver`.
 */
export function fakeWindow(hash = '', { isSlow = false } = {}) {
  const entries = [{ hash, state: null }];
  let at = 0;
  let listener = () => {};
  let isDue = false;
  const moved = () => {
    if (isSlow) isDue = true;
    else listener();
  };
  const writes = [];
  const now = () => entries[at];
  const location = {
    get hash() {
      return now().hash;
    },
    set hash(hash) {
      if (hash === now().hash) return;
      entries.splice(++at, entries.length, { hash, state: null });
      moved();
    },
  };
  const history = {
    get state() {
      return now().state;
    },
    replaceState: (state, _, hash) => {
      writes.push(hash);
      Object.assign(now(), { hash, state });
    },
    back: () => {
      at--;
      moved();
    },
  };
  const window = { location, history, addEventListener: (_, act) => (listener = act) };
  const deliver = () => {
    if (isDue) listener();
    isDue = false;
  };
  return { window: /** @type {any} */ (window), entries, writes, deliver };
}
