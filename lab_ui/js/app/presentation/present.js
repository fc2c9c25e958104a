/**
 * Presenting: a screen shows its work alone in the window, for a projector (`presentable.js`). Every screen can begin
 * it. The address says that it is shown and which screen it was begun on, so that a reload shows the same and leaving
 * goes back.
 */

/**
 * Presents the screen that is shown, or the first that can be presented.
 * @param {import('../state/router.js').Router} router
 * @param {import('../shell.js').ScreenEntry[]} screens
 */
export function present(router, screens) {
  const { screen } = router;
  const found = screens.filter(({ isPresentable }) => isPresentable);
  const { name } = found.find(one => one.name === screen) ?? found[0];
  const shown = screen === name ? Object.fromEntries(router.paramsOf(name)) : {};
  router.go(name, { ...shown, present: '1', ...(screen && screen !== name ? { from: screen } : {}) });
}

/** @param {URLSearchParams} params of a screen @returns {boolean} */
export const isPresenting = params => params.get('present') === '1';
