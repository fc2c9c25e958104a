/**
 * What can be done in a presentation, and with which key. One list feeds the keys, the palette and the page of keys.
 * The letters of the tokenizers in use come first: with six or more, F and H are letters of tokenizers, and Shift+F and
 * Shift+H do what they otherwise do.
 */

/**
 * @param {{id: string, name: string, letter: string}[]} tokenizers in use
 * @param {Object<string, (detail?: any) => void>} run what each does, by name
 * @returns {import('../commands/command.js').Command[]}
 */
export const presenterCommands = (tokenizers, run) => [
  { label: 'Reveal the line, or go on', keys: ['PageDown', 'ArrowRight', ' ', 'Enter'], run: run.next },
  { label: 'Go back by a line', keys: ['PageUp', 'ArrowLeft', 'Backspace'], run: run.back },
  { label: 'Cover all lines', keys: ['.'], run: run.cover },
  { label: 'Leave the presentation', keys: ['Escape', 'P'], run: run.leave },
  ...tokenizers.map(({ id, name, letter }) => ({
    label: `Hide or show the tokens of ${name}`,
    keys: [letter.toLowerCase()],
    also: 'guess tokenizer count',
    run: () => run.hide(id),
  })),
  { label: 'Hide or show the count to guess', keys: ['h', 'H'], run: run.toggle },
  { label: 'Full screen', keys: ['f', 'F'], run: run.fullScreen },
  { label: 'Larger lines', keys: ['+', '='], run: run.larger },
  { label: 'Smaller lines', keys: ['-'], run: run.smaller },
  { label: 'Light or dark colours', keys: ['t'], also: 'theme projector palette', run: run.palette },
  { label: 'Prepared texts', keys: ['l'], also: 'list playlist add', run: run.list },
];
