/** What the keys and the palette can do in Vocabulary. */
import { viewCommands } from '../../app/commands/command.js';
import { panelCommand } from '../../app/panel_settings.js';
import { MODES } from './vocabulary_search.js';
import { TABS } from './vocabulary_state.js';

/**
 * @param {import('../../app/state/settings.js').Settings} settings
 * @param {{name: string, label: string}[]} examples searches that can be tried
 * @param {Record<'search'|'clear', () => void> & Record<'mode'|'example'|'tab'|'save', (value: any) => void>} act
 * @returns {import('../../app/commands/command.js').Command[]}
 */
export const vocabularyCommands = (settings, examples, act) => [
  { label: 'Search the vocabulary', keys: ['/'], run: act.search },
  ...MODES.map(({ value, label }) => ({ label: `Search by ${label}`, run: () => act.mode(value) })),
  ...examples.map(({ name, label }) => ({ label: `Example search: ${label}`, run: () => act.example(name) })),
  { label: 'Clear the search', run: act.clear },
  ...viewCommands(TABS, act.tab),
  panelCommand(settings),
  { label: 'Export as CSV', run: () => act.save('csv') },
  { label: 'Export as JSON', run: () => act.save('json') },
];
