/**
 * What the parts of the screen share. Types alone.
 *
 * @typedef {Object} Shown what panels show
 * @property {import('../../api/schema.d.ts').Chat|null} chat
 * @property {import('../../api/schema.d.ts').ChatChecks|null} checks
 * @property {string} checkProblem
 * @property {import('./conversation.js').Message[]} messages
 * @property {string} colour
 * @property {{own: string[], builtIn: string[]}} templates
 * @property {string} template
 *
 * @typedef {Object} Owner the screen, as panels see it
 * @property {import('./conversation.js').Message[]} messages
 * @property {(edit: (messages: import('./conversation.js').Message[]) => import('./conversation.js').Message[]) => void
 *   } change
 * @property {() => void} draw
 * @property {(tab: string) => void} show opens a tab of the drawer
 * @property {{token: number, focus: (message: number) => void}} rows
 */
export {};
