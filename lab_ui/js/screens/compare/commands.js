/** What keys and the palette can do in Compare. */
import { FIRST_CHOICE } from '../../app/state/shared_settings.js';
import { VIEWS } from './panes.js';
import { idSetting } from './settings.js';

/** @type {Object<string, string>} */
const TAB_WORDS = { vocab: 'vocabulary overlap and difference', transfer: 'transfer of IDs and embeddings' };

/**
 * @param {import('../../app/context.js').Context} context
 * @param {{jump: (by: number) => void, toggle: (id: string) => void, tabs: {value: string, label: string}[], openTab:
 *   (tab: string) => void}} screen
 * @returns {import('../../app/commands/command.js').Command[]}
 */
export function compareCommands({ settings, catalog, dialog }, { jump, toggle, tabs, openTab }) {
  /** @param {string} name */
  const flip = name => () => settings.set({ [name]: !settings.get(name) });
  return [
    { label: 'Next divergence', keys: ['n', 'F8'], run: () => jump(1) },
    { label: 'Previous divergence', keys: ['p', 'Shift+F8'], run: () => jump(-1) },
    ...settings.get('chosen').map(id => ({
      label: `Hide or show ${catalog.nameOf(id)}`,
      keys: [catalog.letterOf(id).toLowerCase()],
      also: 'tokenizer lane toggle',
      run: () => toggle(id),
    })),
    ...tabs.map(({ value, label }) => ({
      label: `Show ${TAB_WORDS[value] ?? label.toLowerCase()}`,
      also: 'tab panel compatibility pair',
      run: () => openTab(value),
    })),
    ...VIEWS.map(({ value, label }) => ({
      label: `Compare: ${label.toLowerCase()}`,
      also: 'view lanes columns',
      run: () => settings.set({ 'compare.view': value }),
    })),
    { label: 'Toggle IDs', keys: ['i'], run: () => flip(idSetting(settings))() },
    { label: 'Compare BERT and GPT-2', also: 'preset example first', run: () => dialog.use(FIRST_CHOICE) },
    { label: 'Toggle whitespace', keys: ['w'], also: 'spaces', run: flip('showWhiteSpace') },
    { label: 'Ignore or count which token keeps the space', run: flip('ignoreSpaces') },
  ];
}
