/**
 * Connects the bar above the screens with what it shows and changes: tokenizers in use, shared switches, theme, jobs.
 */
import { listen } from '../../ui/dom.js';
import { present } from '../presentation/present.js';
import { MANY } from '../tokenizers/short_names.js';

/**
 * @param {import('./app_frame.js').AppFrame} frame
 * @param {import('../context.js').Context} context
 * @param {import('../shell.js').Shell} shell
 * @param {import('../shell.js').ScreenEntry[]} screens
 * @param {(menu: import('../../ui/menu_button.js').MenuButton) => void} fillExports fills the menu "Export"
 * @param {(error: Error) => void} showError
 */
export function connectBar(frame, { settings, catalog, router, jobs, dialog }, shell, screens, fillExports, showError) {
  const drawChips = () => {
    const { chosen } = catalog;
    const follows = Boolean(shell.screen?.followsActive);
    const active = follows ? settings.get('active') : null;
    frame.dataset.many = String(chosen.length > 3);
    frame.dataset.most = String(chosen.length >= MANY);
    frame.chips.tokenizers = chosen.map(id => ({
      id,
      name: catalog.nameOf(id),
      letter: catalog.letterOf(id),
      active: id === active,
      misfit: shell.screen?.misfitOf(id) ?? '',
      hint: follows ? `Show ${catalog.nameOf(id)} here` : `Inspect with ${catalog.nameOf(id)}`,
    }));
  };
  const drawTheme = () => {
    frame.theme = settings.get('theme');
  };
  const drawControls = () => {
    const showsText = Boolean(shell.screen?.showsText);
    frame.controls = { export: showsText, present: showsText || Boolean(shell.entry.isPresentable) };
    frame.barControls = shell.screen?.barControls ?? null;
  };
  settings.on(['chosen', 'active'], drawChips);
  settings.on(['theme'], drawTheme);
  catalog.addEventListener('change', drawChips);
  catalog.addEventListener('refit', drawChips);
  shell.addEventListener('shown', drawChips);
  shell.addEventListener('shown', drawControls);
  drawChips();
  drawTheme();
  drawControls();

  fillExports(frame.exports);
  listen(frame.chips, 'pick', active => {
    settings.set({ active });
    if (!shell.screen?.followsActive) router.go('inspect');
  });
  listen(frame.chips, 'pointat', id => shell.screen?.pointAt(id));
  listen(frame.chips, 'remove', id => catalog.remove(id));
  listen(frame, 'addtokenizer', () => dialog.open());
  listen(frame, 'present', () => present(router, screens));
  listen(frame, 'themechange', theme => settings.set({ theme }));
  jobs.addEventListener('change', () => {
    frame.jobs.jobs = [...jobs.jobs, ...jobs.left];
  });
  listen(frame.jobs, 'stop', id => jobs.stop(id).catch(showError));
  listen(frame.jobs, 'restart', id => jobs.restart(id).catch(showError));
}
