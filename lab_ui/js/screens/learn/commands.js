/** What the keys and the palette can do in Learn. */
import { panelCommand } from '../../app/panel_settings.js';
import { entries } from './learn_state.js';
/** @import {Way} from '../../lessons/lesson_view.js' */

/** @typedef {import('../../app/commands/command.js').Command} Command */

/**
 * @param {import('../../lessons/player.js').Player} player
 * @param {import('../../app/state/settings.js').Settings} settings
 * @param {{open: (lesson: string) => void, text: () => void, way: (way: Way) => void}} act
 * @returns {Command[]}
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
  ...toOpen(act.open),
  panelCommand(settings),
];

/**
 * @param {import('../../lessons/exercises_view.js').ExercisesView} view @param {(lesson: string) => void} open
 * @returns {Command[]}
 */
export const exerciseCommands = (view, open) => [
  { label: 'Next task', keys: [']'], run: () => view.step(1) },
  { label: 'Task before', keys: ['['], run: () => view.step(-1) },
  { label: 'New tasks', run: () => view.renew() },
  ...toOpen(open),
];

/** @param {(lesson: string) => void} open @returns {Command[]} */
const toOpen = open => entries().map(({ name, title }) => ({ label: `Lesson: ${title}`, run: () => open(name) }));
