/** Connects the panel on the right with its settings, which the screens that have one share, and with the guide. */
import { listen } from '../ui/dom.js';
import { guideOf } from './guide.js';

const KEY = 'r';

/**
 * Lets a panel follow its settings, and change them.
 * @param {import('../ui/side_panel.js').SidePanel} panel
 * @param {string} screen its name
 * @param {import('./state/settings.js').Settings} settings
 * @param {AbortSignal} signal ends it
 */
export function followPanelSettings(panel, screen, settings, signal) {
  const draw = () => {
    panel.shown = settings.get('showPanel');
    panel.width = settings.get('panelWidth');
  };
  panel.keys = KEY;
  panel.guide = guideOf(`${screen} panel`);
  settings.on(['showPanel', 'panelWidth'], draw, signal);
  draw();
  listen(panel, 'showpanel', showPanel => settings.set({ showPanel }));
  listen(panel, 'widthchange', panelWidth => settings.set({ panelWidth }));
}

/**
 * @param {import('./state/settings.js').Settings} settings
 * @returns {import('./commands/command.js').Command} that hides or shows the panel
 */
export const panelCommand = settings => ({
  label: settings.get('showPanel') ? 'Hide the panel' : 'Show the panel',
  keys: [KEY],
  also: 'drawer sidebar right',
  run: () => settings.set({ showPanel: !settings.get('showPanel') }),
});
