/** Keys of the lab: which command a key press means, and when it means none. */
import { isModalOpen } from '../../ui/dialog.js';
import { closest } from '../../ui/dom.js';
import { commandFor } from './command.js';

const FIELDS = '[contenteditable=true], input, textarea, select';
/** Space presses these. */
const PRESSED = 'button, a[href], summary';
/** These use the arrow keys themselves. */
const STEERED = '[role=radiogroup], [role=tablist], virtual-list, token-drawer, menu-button, [role=separator]';

/**
 * @param {Object} lab
 * @param {() => import('./command.js').Command[]} lab.commands
 * @param {() => boolean} lab.takesSingleKeys whether keys without Ctrl or Cmd are commands now
 * @param {(event: KeyboardEvent) => void} lab.onEscape
 * @returns {(event: KeyboardEvent) => void}
 */
export function keyListener({ commands, takesSingleKeys, onEscape }) {
  return event => {
    if (event.defaultPrevented) return; // the editor or a list took it
    const { key, ctrlKey, metaKey, altKey } = event;
    if (isModalOpen()) return;
    if (key === 'Escape') {
      onEscape(event);
      return;
    }
    const isSingle = !(ctrlKey || metaKey) && key !== 'F8';
    if (altKey || (isSingle && (!takesSingleKeys() || closest(event, FIELDS)))) return;
    if (key === ' ' && closest(event, PRESSED)) return;
    if (key.startsWith('Arrow') && (closest(event, STEERED) || scrolls(event))) return;
    const command = commandFor(commands(), event);
    if (!command) return;
    event.preventDefault();
    command.run();
  };
}

/** Whether an arrow key scrolls something around the element that has the focus. @param {KeyboardEvent} event */
function scrolls(event) {
  const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  for (let node = event.target; node instanceof Element && node !== document.body; node = node.parentElement) {
    const style = getComputedStyle(node);
    const overflow = isAcross ? style.overflowX : style.overflowY;
    const hasMore = isAcross ? node.scrollWidth > node.clientWidth : node.scrollHeight > node.clientHeight;
    if (hasMore && ['auto', 'scroll'].includes(overflow)) return true;
  }
  return false;
}
