/** What can be done on every screen, as commands. */
import { SAMPLES } from '../text/samples.js';

const THEMES = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
];
const SIZES = [
  ['usual', 'Default text size'],
  ['large', 'Large text'],
  ['presenter', 'Presenter size'],
];
const EXPORTS = [
  ['html', 'Export as one page (HTML)'],
  ['csv', 'Export as a table (CSV)'],
  ['json', 'Export as data (JSON)'],
];
const PICTURES = [
  ['svg', 'Export the visible part as a picture (SVG)'],
  ['png', 'Export the visible part as a picture (PNG)'],
];
const SPECIALS = [
  ['parse', 'Special tokens in text: parse'],
  ['text', 'Special tokens in text: read as text'],
  ['reject', 'Special tokens in text: reject'],
];

/**
 * @param {Object} lab the Lab
 * @param {{name: string, label: string}[]} screens
 * @param {{openFile: () => void, showKeys: () => void, showPalette: () => void, showExports: () => void, encode: () =>
 *   void}} actions of the frame
 * @returns {import('./command.js').Command[]}
 */
export function labCommands(lab, screens, { openFile, showKeys, showPalette, showExports, encode }) {
  const { state } = lab;
  const set = patch => () => state.set(patch);
  const resize = by => {
    const next = SIZES[SIZES.findIndex(([size]) => size === state.textSize) + by];
    if (next) state.set({ textSize: next[0] });
  };
  return [
    { label: 'Find a command', keys: ['Mod+K'], run: showPalette },
    { label: 'Open a text file', keys: ['Mod+O'], run: openFile },
    { label: 'Encode again', keys: ['Mod+Enter'], run: encode },
    { label: 'Add a tokenizer', also: 'load open hub', run: () => lab.openAddTokenizer() },
    ...screens.map(({ name, label }, n) => ({
      label: `Go to ${label}`,
      keys: [String(n + 1)],
      also: 'screen view',
      run: () => {
        location.hash = `#/${name}`;
      },
    })),
    ...state.chosen.map(id => ({
      label: `Inspect with ${state.nameOf(id)}`,
      also: 'tokenizer show',
      run: () => {
        state.set({ active: id });
        location.hash = '#/inspect';
      },
    })),
    ...state.entries
      .filter(({ id, available, problem }) => available && !problem && !state.chosen.includes(id))
      .map(({ id, name }) => ({
        label: `Use ${name}`,
        also: 'tokenizer add',
        run: () => {
          state.add(id);
        },
      })),
    {
      label: 'Toggle special tokens',
      keys: ['s'],
      also: 'template CLS BOS',
      run: () => state.set({ addSpecialTokens: !state.addSpecialTokens }),
    },
    ...SPECIALS.map(([value, label]) => ({ label, run: set({ specials: value }) })),
    ...SAMPLES.map(({ label, text }) => ({
      label: `Sample text: ${label}`,
      also: 'example',
      run: () => lab.setText(text),
    })),
    ...SIZES.map(([textSize, label]) => ({ label, also: 'font zoom teaching projector', run: set({ textSize }) })),
    { label: 'Larger text', keys: ['+'], also: 'font zoom', run: () => resize(1) },
    { label: 'Smaller text', keys: ['-'], also: 'font zoom', run: () => resize(-1) },
    ...THEMES.map(([theme, label]) => ({ label, also: 'colours mode', run: set({ theme }) })),
    { label: 'Export', keys: ['Mod+E'], run: showExports },
    ...EXPORTS.map(([format, label]) => ({ label, also: 'save download file', run: () => lab.exportText(format) })),
    ...PICTURES.map(([format, label]) => ({
      label,
      also: 'save download file image screenshot',
      run: () => lab.exportPicture(format),
    })),
    { label: 'Copy link to this view', also: 'link permalink url share', run: () => lab.copyAddress() },
    { label: 'Show all keys', keys: ['?'], also: 'help keyboard shortcuts', run: showKeys },
  ].map(command => ({ group: 'Everywhere', ...command }));
}
