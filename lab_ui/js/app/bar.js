/**
 * Connects the bar above the screens with what it shows and changes: tokenizers in use, shared switches, theme, jobs.
 */
import { listen } from '../ui/dom.js';

/**
 * @param {import('./app_frame.js').AppFrame} frame
 * @param {import('./context.js').Context} context
 * @param {import('./shell.js').Shell} shell
 * @param {(error: Error) => void} showError
 */
export function connectBar(frame, { settings, catalog, router, jobs, dialog }, shell, showError) {
  const drawChips = () => {
    const chosen = settings.get('chosen');
    const follows = Boolean(shell.screen?.followsActive);
    const active = follows ? settings.get('active') : null;
    frame.dataset.many = String(chosen.length > 3);
    frame.dataset.some = String(chosen.length > 2);
    frame.chips.tokenizers = chosen.map(id => ({
      id,
      name: catalog.nameOf(id),
      letter: catalog.letterOf(id),
      active: id === active,
      hint: follows ? `Show ${catalog.nameOf(id)} here` : `Inspect with ${catalog.nameOf(id)}`,
    }));
  };
  const drawSwitches = () => {
    frame.addSpecialTokens.checked = settings.get('addSpecialTokens');
    frame.specials.value = settings.get('specials');
    frame.theme = settings.get('theme');
  };
  settings.on(['chosen', 'active'], drawChips);
  settings.on(['addSpecialTokens', 'specials', 'theme'], drawSwitches);
  catalog.addEventListener('change', drawChips);
  shell.addEventListener('shown', drawChips);
  drawChips();
  drawSwitches();

  listen(frame.chips, 'pick', active => {
    settings.set({ active });
    if (!shell.screen?.followsActive) router.go('inspect');
  });
  listen(frame.chips, 'remove', id => catalog.remove(id));
  listen(frame, 'addtokenizer', () => dialog.open());
  listen(frame, 'themechange', theme => settings.set({ theme }));
  listen(frame.addSpecialTokens, 'valuechange', addSpecialTokens => settings.set({ addSpecialTokens }));
  listen(frame.specials, 'valuechange', specials => settings.set({ specials }));
  jobs.addEventListener('change', () => {
    frame.jobs.jobs = jobs.jobs;
  });
  listen(frame.jobs, 'stop', id => jobs.stop(id).catch(showError));
}
