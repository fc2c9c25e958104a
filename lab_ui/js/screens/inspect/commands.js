/** What keys and the palette can do in Inspect. */

/**
 * @param {import('../../app/state/settings.js').Settings} settings
 * @param {{step: (by: number) => void, explain: (side: 'start'|'end') => void, openChunks: () => void,
 *   chooseNextColour: () => void, goToNext: (kind: 'added'|'split'|'unknown') => void}} screen
 * @returns {import('../../app/commands/command.js').Command[]}
 */
export function inspectCommands(settings, { step, explain, openChunks, chooseNextColour, goToNext }) {
  /** @param {string} name */
  const toggle = name => () => settings.set({ [name]: !settings.get(name) });
  /** @param {string} view */
  const toggleView = view => () =>
    settings.set({ 'inspect.view': settings.get('inspect.view') === view ? 'text' : view });
  const why = 'cut explain reason boundary';
  const chunks = 'chunk split pieces';
  return [
    { label: 'Previous token', keys: ['ArrowLeft'], run: () => step(-1) },
    { label: 'Next token', keys: ['ArrowRight'], run: () => step(1) },
    { label: 'Why does the token end here?', keys: ['y'], also: why, run: () => explain('end') },
    { label: 'Why does the token start here?', also: why, run: () => explain('start') },
    { label: 'Next unknown token', also: 'unk oov', run: () => goToNext('unknown') },
    { label: 'Next character split over tokens', also: 'bytes', run: () => goToNext('split') },
    {
      label: 'Toggle the steps of the tokenizer',
      keys: ['p'],
      also: 'stages pipeline normalizer pretokenizer model decoder',
      run: toggle('inspect.showSteps'),
    },
    { label: 'Toggle IDs', keys: ['i'], run: toggle('showIds') },
    { label: 'Toggle whitespace', keys: ['w'], also: 'spaces', run: toggle('showWhiteSpace') },
    {
      label: 'Next colour mode',
      keys: ['c'],
      also: 'position id rank script length grey colours',
      run: chooseNextColour,
    },
    { label: 'Toggle context and cost', also: 'window cost budget meter', run: toggle('inspect.showMeter') },
    { label: 'Split the text into chunks of N tokens', also: chunks, run: openChunks },
    {
      label: 'Toggle normalizer changes',
      keys: ['l'],
      also: 'normalizer changes normalized',
      run: toggle('inspect.showChanges'),
    },
    { label: 'Toggle marks every N tokens', keys: ['m'], also: `${chunks} cuts`, run: toggle('inspect.showChunks') },
    { label: 'Toggle byte view', keys: ['b'], run: toggleView('bytes') },
    { label: 'Toggle table view', keys: ['t'], run: toggleView('table') },
    { label: 'Toggle ID view (decode IDs)', run: toggleView('ids') },
  ];
}
