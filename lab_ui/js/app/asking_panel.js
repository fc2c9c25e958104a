/** A panel that asks for what it shows, and stops asking when it ends. */
import { AskWhileOpen } from './ask_while_open.js';
import { Panel } from './panel.js';

export class AskingPanel extends Panel {
  /** @type {AskWhileOpen} */
  asking;

  /** @param {import('./context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.asking = new AskWhileOpen(context.activity);
  }

  destroy() {
    this.asking?.stop();
  }
}
