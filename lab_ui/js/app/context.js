/**
 * What a screen is given: small parts, each of which a test can fake. All but `status` are the same for every screen.
 *
 * @typedef {Object} Context
 * @property {import('./state/settings.js').Settings} settings switches and choices
 * @property {import('./tokenizers/catalog.js').Catalog} catalog the tokenizers
 * @property {import('../text/session.js').TextSession} session the text
 * @property {import('./state/job_store.js').JobStore} jobs long work
 * @property {import('./state/status.js').ScreenStatus} status errors, progress and notes of this screen
 * @property {import('./state/router.js').Router} router addresses
 * @property {import('./state/activity.js').Activity} activity work under way
 * @property {import('../api/tokenizers.js').Vocabulary} vocabulary entries that were read
 * @property {import('./exports/clipboard.js').Clipboard} clipboard
 * @property {import('./tokenizers/tokenizer_dialog.js').TokenizerDialog} dialog that brings tokenizers in
 * @property {() => void} openFile lets the user choose a file of text
 * @property {string} nonce of the page's style elements
 */

/**
 * @param {Omit<Context, 'status'>} shared
 * @param {import('./state/status.js').Status} status
 * @returns {(screen: string) => Context} makes the context of a screen
 */
export const contextMaker = (shared, status) => screen => ({ ...shared, status: status.of(screen) });
