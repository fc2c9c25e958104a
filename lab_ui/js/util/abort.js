/** Tells an operation that was aborted from one that failed. */

/** @param {unknown} error anything that was thrown @returns {boolean} whether an AbortSignal ended the operation */
export const isAbort = error => error instanceof Error && error.name === 'AbortError';
