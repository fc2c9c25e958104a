/**
 * Calls `act` with every item. One that throws stops none of the others: its error goes to the page's error event.
 * @template Item
 * @param {Iterable<Item>} items @param {(item: Item) => void} act
 */
export function callEach(items, act) {
  for (const item of [...items]) {
    try {
      act(item);
    } catch (error) {
      reportError(error);
    }
  }
}
