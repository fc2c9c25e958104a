/** Finds the part of a text that cleaning changed. */

/**
 * @param {string} before @param {string} after
 * @returns {{start: string, removed: string, added: string, end: string}} whole characters; `start` and `end` are in
 *   both
 */
export function changeOf(before, after) {
  const [old, now] = [[...before], [...after]];
  const most = Math.min(old.length, now.length);
  let from = 0;
  while (from < most && old[from] === now[from]) from++;
  let same = 0;
  while (same < most - from && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return {
    start: old.slice(0, from).join(''),
    removed: old.slice(from, old.length - same).join(''),
    added: now.slice(from, now.length - same).join(''),
    end: same ? old.slice(-same).join('') : '',
  };
}
