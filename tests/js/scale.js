/** How much the tests try: `LAB_TEXTS` times what `make test` does; see `tests/scale.py`. */

/** @param {number} count of runs or seeds where `make test` takes as many */
export const scaled = count => count * Number(process.env.LAB_TEXTS ?? 1);
