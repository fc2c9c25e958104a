/** What the keys and the palette can do in Learn. */
import { panelCommand } from '../../app/panel_settings.js';
import { LESSONS } from '../../lessons/scenes/index.js';
import { words } from '../../lessons/words/index.js';

/**
 * @param {import('../../lessons/player.js').Player} player
 * @param {import('../../app/state/settings.js').Settings} settings
 * @param {{open: (lesson: string) => void, text: () => void, way: (way: 'watch'|'do') => void}} act
 * @returns {import('../../app/commands/command.js').Command[]}
 */
export const learnCommands = (player, settings, act) => [
  { label: 'One step on', keys: [']'], run: () => player.step(1) },
  { label: 'One step back', keys: ['['], run: () => player.step(-1) },
  { label: player.isPlaying ? 'Pause' : 'Play', keys: [' '], run: () => player.toggle() },
  { label: 'To the start', keys: ['Home'], run: () => player.step(-player.at) },
  { label: 'To the end', keys: ['End'], run: () => player.step(player.last) },
  { label: 'Next stop', keys: ['PageDown'], run: () => player.stop(1) },
  { label: 'Stop before', keys: ['PageUp'], run: () => player.stop(-1) },
  { label: 'Text of the lesson', keys: ['/'], run: act.text },
  { label: 'Watch', run: () => act.way('watch') },
  { label: 'Do it', also: 'exercise predict', run: () => act.way('do') },
  ...LESSONS.map(({ name }) => ({ label: `Lesson: ${words.lessons[name].title}`, run: () => act.open(name) })),
  panelCommand(settings),
];
