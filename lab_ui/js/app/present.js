/**
 * Presenting: Compare shows the text for a projector (`screens/compare/presenter`). Every screen can begin it; the
 * address says that it is shown and which screen it came from, so that a reload shows the same and leaving goes back.
 */

/** The screen whose mode it is. */
export const PRESENTING_SCREEN = 'compare';

/** @param {import('./state/router.js').Router} router */
export function present(router) {
  const { screen } = router;
  router.go(PRESENTING_SCREEN, { present: '1', ...(screen && screen !== PRESENTING_SCREEN ? { from: screen } : {}) });
}

/** @param {URLSearchParams} params of Compare @returns {boolean} */
export const isPresenting = params => params.get('present') === '1';
