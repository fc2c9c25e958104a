/**
 * Calls `callback` with every item. One that throws stops none of the others: its error goes to the page's error event.
 * @template Item
 * @param {Iterable<Item>} items @param {(item: Item) => void} callback
 */
export function callEach(items, callback) {
  for (const item of [...items]) {
    try {
      callback(item);
    } catch (error) {
      reportError(error);
    }
  }
}
