/** What keys and the palette can do in the Workshop. */
/** @import {EditKind} from '../../api/schema.d.ts' */

/** @typedef {import('../../app/commands/command.js').Command} Command */

/**
 * @param {Object<string, EditKind>} kinds by name in recipes
 * @param {{undo: () => void, redo: () => void, add: (kind: string) => void, jump: (by: number) => void,
 *   save: () => void, prove: () => void, panel: Command}} screen
 * @returns {Command[]}
 */
export const workshopCommands = (kinds, { undo, redo, add, jump, save, prove, panel }) => [
  { label: 'Undo the last edit', keys: ['u'], run: undo },
  { label: 'Redo the edit', keys: ['U'], run: redo },
  { label: 'Next changed place', keys: ['n'], run: () => jump(1) },
  { label: 'Previous changed place', keys: ['p'], run: () => jump(-1) },
  ...Object.entries(kinds).map(([kind, { name, words }]) => ({
    label: `Edit: ${name}`,
    also: words,
    run: () => add(kind),
  })),
  { label: 'Save the recipe', run: save },
  { label: 'Prove reachability', also: 'check audit', run: prove },
  panel,
];
