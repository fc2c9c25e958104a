/**
 * What the lab can do, as data: one list feeds the keys, the palette and the page of keys. Knows nothing of the page.
 *
 * @typedef {Object} Command
 * @property {string} label what it does, in a few words
 * @property {string[]} [keys] as `KeyboardEvent.key` has them, with `Mod+` (Cmd on macOS, Ctrl elsewhere) and `Shift+`
 *   before if they are wanted. A letter alone is small; a capital one is typed with Shift
 * @property {string} [group] where it belongs; the name of a screen, or `Everywhere`
 * @property {string} [also] other words people may look for
 * @property {() => void} run
 */

/** @type {Object<string, string>} */
const NAMES = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  ' ': 'Space',
};

const IS_MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/**
 * @param {{key: string, ctrlKey?: boolean, metaKey?: boolean, shiftKey?: boolean}} event @param {boolean} [isMac]
 * @returns {string} as `keys` has it. With the other one of Ctrl and Cmd it is no key of a command: on macOS Ctrl+K
 *   edits the text
 */
export function keyOf({ key, ctrlKey, metaKey, shiftKey }, isMac = IS_MAC) {
  const [mod, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  const held = `${other ? 'Other+' : ''}${mod ? 'Mod+' : ''}`;
  // Shift is a part of a character that is typed with it, but not of a key that types nothing.
  if (key.length > 1) return `${held}${shiftKey ? 'Shift+' : ''}${key}`;
  // What Caps Lock makes of a letter does not count.
  return held + (held || shiftKey ? key.toUpperCase() : key.toLowerCase());
}

/**
 * @param {Command[]} commands
 * @param {Parameters<typeof keyOf>[0]} event
 * @param {boolean} [isMac]
 * @returns {Command|undefined}
 */
export function commandFor(commands, event, isMac) {
  const key = keyOf(event, isMac);
  return commands.find(command => command.keys?.includes(key));
}

/** @param {string} key as `keys` has it @param {boolean} [isMac] @returns {string[]} its parts as people read them */
export function keyParts(key, isMac = IS_MAC) {
  if (/^[A-Z]$/.test(key)) return ['Shift', key];
  return key
    .split(/\+(?=.)/)
    .map(part =>
      part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    );
}

/** @param {string} key as `keys` has it @returns {string} as it is written in a sentence: "Ctrl+K" */
export const keyWords = key => keyParts(key).join('+');

/**
 * The commands that hold every word of `query`, those whose label begins with it first; all of them for no words.
 * @param {Command[]} commands @param {string} query @returns {Command[]}
 */
export function matching(commands, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {Command} command */
  const rank = ({ label, group = '', also = '' }) => {
    const own = label.toLowerCase();
    const whole = `${own} ${group} ${also}`.toLowerCase();
    if (!words.every(word => whole.includes(word))) return -1;
    if (words.length && own.startsWith(words[0])) return 2;
    return words.some(word => own.split(/\s+/).some(part => part.startsWith(word))) ? 1 : 0;
  };
  const ranked = commands.map(command => ({ command, rank: rank(command) })).filter(({ rank }) => rank >= 0);
  return ranked.sort((a, b) => b.rank - a.rank).map(({ command }) => command);
}

/**
 * Commands that show a view or a tab each: "Show results".
 * @template {string} Value
 * @param {{value: Value, label: string}[]} views @param {(value: Value) => void} show
 * @returns {Command[]}
 */
export const viewCommands = (views, show) =>
  views.map(({ value, label }) => ({
    label: `Show ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
    run: () => show(value),
  }));
