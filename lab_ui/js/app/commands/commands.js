/** What can be done on every screen, as commands. */
import { SAMPLES } from '../../text/samples.js';
import { guideOf } from '../guide.js';
import { exportCommands } from '../exports/export_menu.js';
import { present } from '../presentation/present.js';
import { SPECIAL_TEXT, SPECIAL_TEXT_LABEL } from '../special_token_options.js';

const THEMES = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
];
const SIZES = [
  ['usual', 'Default text size'],
  ['large', 'Large text'],
  ['presenter', 'Largest text'],
];

/**
 * @param {import('../context.js').Context} context
 * @param {import('../shell.js').ScreenEntry[]} screens
 * @param {import('../exports/exports.js').Exports} exports
 * @param {{openFile: () => void, showKeys: () => void, showPalette: () => void, showExports: () => void, renew: () =>
 *   void}} actions of the frame
 * @returns {import('./command.js').Command[]}
 */
export function labCommands(context, screens, exports, { openFile, showKeys, showPalette, showExports, renew }) {
  return [
    { label: 'Find a command', keys: ['Mod+K'], run: showPalette },
    { label: 'Open a text file', keys: ['Mod+O'], run: openFile },
    { label: 'Encode again', keys: ['Mod+Enter'], run: renew },
    startAfresh(context),
    ...screenCommands(context, screens),
    ...tokenizerCommands(context),
    ...textCommands(context),
    ...lookCommands(context),
    { label: 'Export', keys: ['Mod+E'], run: showExports },
    ...exportCommands(context, exports),
    { label: 'Open the guide', also: 'help documentation manual', run: () => open(guideOf(), '_blank', 'noreferrer') },
    { label: 'Show all keys', keys: ['?'], also: 'help keyboard shortcuts', run: showKeys },
  ].map(command => ({ group: 'Everywhere', ...command }));
}

/**
 * As the lab is when it is opened for the first time. Undo brings the text back.
 * @param {import('../context.js').Context} context @returns {import('./command.js').Command}
 */
const startAfresh = ({ settings, catalog, session, router }) => ({
  label: 'Start afresh: BERT and GPT-2 with the sample text',
  also: 'new clean reset default',
  run: () => {
    settings.resetAll();
    catalog.choose([]);
    session.setText(SAMPLES[0].text);
    router.go('inspect');
  },
});

/** The names of the screens that the digits open. @param {import('../shell.js').ScreenEntry[]} screens */
const withDigits = screens => screens.flatMap(({ name, hasDigit }) => (hasDigit === false ? [] : [name]));

/** @param {import('../context.js').Context} context @param {import('../shell.js').ScreenEntry[]} screens */
const screenCommands = ({ router }, screens) => [
  ...screens.map(({ name, label, hasDigit }) => ({
    label: `Go to ${label}`,
    keys: hasDigit === false ? [] : [String(withDigits(screens).indexOf(name) + 1)],
    also: 'screen view',
    run: () => router.go(name),
  })),
  {
    label: 'Present',
    keys: ['P'],
    also: 'presenter lecture teaching class slides projector full screen',
    run: () => present(router, screens),
  },
];

/** @param {import('../context.js').Context} context */
const tokenizerCommands = ({ settings, catalog, router, dialog }) => [
  { label: 'Add a tokenizer', also: 'load open hub', run: () => dialog.open() },
  ...Object.keys(settings.get('sets')).map(name => ({
    label: `Use the set ${name}`,
    also: 'tokenizers',
    run: () => dialog.useSet(name),
  })),
  ...catalog.chosen.map(id => ({
    label: `Inspect with ${catalog.nameOf(id)}`,
    also: 'tokenizer show',
    run: () => {
      settings.set({ active: id });
      router.go('inspect');
    },
  })),
  ...(catalog.chosen.length > 1 ? catalog.chosen : []).map(id => ({
    label: `Remove ${catalog.nameOf(id)}`,
    also: 'tokenizer stop using close',
    run: () => catalog.remove(id),
  })),
  ...catalog.entries
    .filter(({ id }) => catalog.isUsable(id) && !catalog.chosen.includes(id))
    .map(({ id, name }) => ({
      label: `Use ${name}`,
      also: 'tokenizer add',
      run: () => {
        catalog.add(id);
      },
    })),
];

/** @param {import('../context.js').Context} context */
const textCommands = ({ settings, session }) => [
  {
    label: 'Toggle special tokens',
    keys: ['s'],
    also: 'template CLS BOS',
    run: () => settings.set({ addSpecialTokens: !settings.get('addSpecialTokens') }),
  },
  ...SPECIAL_TEXT.map(({ value, label }) => ({
    label: `${SPECIAL_TEXT_LABEL}: ${label}`,
    also: 'special tokens parse reject',
    run: () => settings.set({ specials: value }),
  })),
  ...SAMPLES.map(({ label, text }) => ({
    label: `Sample text: ${label}`,
    also: 'example',
    run: () => session.setText(text),
  })),
];

/** @param {import('../context.js').Context} context */
function lookCommands({ settings }) {
  /** @param {Object<string, string|boolean>} patch */
  const set = patch => () => settings.set(patch);
  /** @param {-1|1} by */
  const resize = by => () => {
    const next = SIZES[SIZES.findIndex(([size]) => size === settings.get('textSize')) + by];
    if (next) settings.set({ textSize: next[0] });
  };
  const isSingle = settings.get('singleKeys');
  return [
    ...SIZES.map(([textSize, label]) => ({ label, also: 'font zoom teaching projector', run: set({ textSize }) })),
    { label: 'Larger text', keys: ['+'], also: 'font zoom', run: resize(1) },
    { label: 'Smaller text', keys: ['-'], also: 'font zoom', run: resize(-1) },
    ...THEMES.map(([theme, label]) => ({ label, also: 'colours mode', run: set({ theme }) })),
    {
      label: isSingle ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on',
      also: 'keyboard keys letters accessibility',
      run: set({ singleKeys: !isSingle }),
    },
    {
      label: 'Reset all settings',
      also: 'default switches',
      run: () => settings.resetAll(),
    },
  ];
}
