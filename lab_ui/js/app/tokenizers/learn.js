/** Reads entries of a vocabulary that a part of a screen wants to show. */

/**
 * @param {import('../context.js').Context} context
 * @param {string} tokenizer
 * @param {number[]} ids
 * @returns {Promise<boolean>} false: they could not be read, and the error is shown
 */
export async function learn({ vocabulary, activity, status }, tokenizer, ids) {
  if (!ids.length) return true;
  try {
    await activity.track(vocabulary.entries(tokenizer, ids));
    return true;
  } catch (error) {
    status.showError(error);
    return false;
  }
}
