/** Elements that are drawn anew at every drawing, and made only where there are more of them than the last time. */

/**
 * @template T
 * @param {HTMLElement[]} pool those of the last time, changed in place @param {Element} parent @param {T[]} items
 * @param {(element: HTMLElement, item: T) => void} write
 */
export function reuse(pool, parent, items, write) {
  while (pool.length > items.length) pool.pop()?.remove();
  while (pool.length < items.length) pool.push(parent.appendChild(document.createElement('div')));
  items.forEach((item, n) => write(pool[n], item));
}
