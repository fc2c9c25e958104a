/** What keys and the palette can do in Chat. */
import { viewCommands } from '../../app/commands/command.js';
import { panelCommand } from '../../app/panel_settings.js';
import { VIEWS } from './settings.js';

/**
 * @param {import('../../app/state/settings.js').Settings} settings
 * @param {{add: () => void, open: () => void, showExample: () => void, step: (by: number) => void,
 *   show: (tab: string) => void}} screen
 * @returns {import('../../app/commands/command.js').Command[]}
 */
export const chatCommands = (settings, { add, open, showExample, step, show }) => [
  { label: 'Add a message', keys: ['Mod+Enter'], run: add },
  { label: 'Open messages', also: 'json conversation file', run: open },
  { label: 'Show the example conversation', run: showExample },
  { label: 'Next token, or next drift', keys: ['n'], run: () => step(1) },
  { label: 'Previous token, or previous drift', keys: ['p'], run: () => step(-1) },
  { label: 'Test and heal the end of a prompt', run: () => settings.set({ 'chat.view': 'drift' }) },
  ...viewCommands(VIEWS, view => settings.set({ 'chat.view': view })),
  { label: 'Show checks of the template', also: 'test', run: () => show('checks') },
  { label: 'Show the rendered text', run: () => show('rendered') },
  { label: 'Write tools', also: 'functions json', run: () => show('tools') },
  { label: 'Write a template', also: 'jinja own', run: () => show('template') },
  panelCommand(settings),
];
