/** How rows of text and blocks are laid out, in pixels; a drawing that is told the same layout again has nothing to do. */

/** @param {Object<string, number>|undefined} a @param {Object<string, number>} b @returns {boolean} */
export const sameLayout = (a, b) => a !== undefined && Object.keys(b).every(name => a[name] === b[name]);
