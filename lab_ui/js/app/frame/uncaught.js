/**
 * Shows the errors that nobody caught, also those of promises. The browser writes them to its console itself, and the
 * tests fail on them. What was aborted is no error.
 */
import { isAbort } from '../../util/abort.js';

const HINT = 'Reload the page if something no longer works, and please report this with what you did.';
/** Fired where a chart or a panel changes its own size: it is drawn once more, and nothing is wrong. */
const HARMLESS = /^ResizeObserver loop/;

/**
 * @param {Pick<Window, 'addEventListener'>} target the page
 * @param {(error: Error & {code?: string, hint?: string}) => void} showError
 */
export function showUncaught(target, showError) {
  target.addEventListener('error', ({ error, message }) => {
    if (!HARMLESS.test(message)) showError(withHint(error ?? new Error(message)));
  });
  target.addEventListener('unhandledrejection', event => {
    if (isAbort(event.reason)) event.preventDefault();
    else showError(withHint(event.reason));
  });
}

/** What the backend answered has words of its own. @param {any} error anything that was thrown */
function withHint(error) {
  if (error?.code) return error;
  return Object.assign(new Error(`The page failed: ${error?.message ?? error}`), { hint: HINT });
}
