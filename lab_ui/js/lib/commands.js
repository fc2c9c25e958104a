/**
 * What the lab can do, as data: one list feeds the keys, the palette and the page of keys. Knows nothing of the page.
 *
 * @typedef {Object} Command
 * @property {string} label what it does, in a few words
 * @property {string[]} [keys] as `KeyboardEvent.key` has them, with `Ctrl+` and `Shift+` before where they are wanted
 * @property {string} [group] where it belongs; the name of a screen, or `Everywhere`
 * @property {string} [also] other words people may look for
 * @property {() => void} run
 */

const NAMES = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };

/** @param {{key: string, ctrlKey?: boolean, metaKey?: boolean, shiftKey?: boolean}} event @returns {string} as `keys` has it */
export function keyOf({ key, ctrlKey, metaKey, shiftKey }) {
  const command = ctrlKey || metaKey, name = command && key.length === 1 ? key.toUpperCase() : key;
  // Shift is a part of a character that is typed with it, but not of a key that types nothing.
  return `${command ? 'Ctrl+' : ''}${shiftKey && key.length > 1 ? 'Shift+' : ''}${name}`;
}

/** @param {Command[]} commands @param {Parameters<typeof keyOf>[0]} event @returns {Command|undefined} */
export function commandFor(commands, event) {
  const key = keyOf(event);
  return commands.find(command => command.keys?.includes(key));
}

/** @param {string} key as `keys` has it @returns {string[]} its parts as people read them */
export const keyParts = key => key.split(/\+(?=.)/).map(part => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part));

/**
 * The commands that hold every word of `query`, those whose label begins with it first; all of them for no words.
 * @param {Command[]} commands @param {string} query @returns {Command[]}
 */
export function matching(commands, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ label, group = '', also = '' }) => {
    const own = label.toLowerCase(), whole = `${own} ${group} ${also}`.toLowerCase();
    if (!words.every(word => whole.includes(word))) return -1;
    if (words.length && own.startsWith(words[0])) return 2;
    return words.some(word => own.split(/\s+/).some(part => part.startsWith(word))) ? 1 : 0;
  };
  const ranked = commands.map(command => ({ command, rank: rank(command) })).filter(({ rank }) => rank >= 0);
  return ranked.sort((a, b) => b.rank - a.rank).map(({ command }) => command);
}
