/**
 * The panel on the right of a screen: can be hidden to a narrow strip, and resized by its edge. ARIA pattern: window
 * splitter. Gets `label`, `shown`, `width` and `guide`, holds its contents in `body`, reports `showpanel` (detail:
 * whether it is to be shown) and `widthchange` (detail: px).
 */
import { LabElement } from './element.js';
import { actionButton, focused, h } from './dom.js';
import { ICONS, icon } from './icons.js';
import { NARROWEST, WIDEST, withinLimits } from './panel_width.js';

const STEP = 16; // px that an arrow key moves the edge

let made = 0;

export class SidePanel extends LabElement {
  #edge = h('div', {
    class: 'panel-edge',
    role: 'separator',
    tabIndex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Width of the panel',
    'aria-valuemin': String(NARROWEST),
    'aria-valuemax': String(WIDEST),
  });
  #toggle = actionButton(icon(ICONS.panel, 16), () => this.emit('showpanel', !this.#shown), {
    class: 'button panel-toggle',
    'data-role': 'toggle-panel',
  });
  #guide = h(
    'a',
    { class: 'panel-guide', target: '_blank', rel: 'noreferrer', title: 'Opens beside the lab', hidden: true },
    icon(ICONS.book, 14),
    'In the guide',
  );
  #shown = true;
  #width = NARROWEST;
  #keys = '';
  /** Holds the contents. */
  body = h('div', { class: 'panel-body', id: `side-panel-${++made}` });

  render() {
    this.classList.add('panel');
    this.role = 'complementary';
    for (const control of [this.#edge, this.#toggle]) control.setAttribute('aria-controls', this.body.id);
    this.append(this.#edge, this.body, this.#guide, this.#toggle);
    this.#edge.addEventListener('keydown', event => this.#onKey(event));
    this.#edge.addEventListener('pointerdown', event => this.#drag(event));
    this.#draw();
  }

  /** @param {string} label what the panel is about */
  set label(label) {
    this.ariaLabel = label;
  }

  /** @param {string} address of the page that describes the panel */
  set guide(address) {
    this.#guide.setAttribute('href', address);
    this.#draw();
  }

  /** @param {string} keys that hide and show it, as people read them */
  set keys(keys) {
    this.#keys = keys;
    this.#draw();
  }

  /** @param {boolean} shown false leaves the button alone */
  set shown(shown) {
    if (!shown && this.body.contains(focused())) this.#toggle.focus();
    this.#shown = shown;
    this.#draw();
  }

  /** @param {number} width px */
  set width(width) {
    this.#width = withinLimits(width);
    this.#draw();
  }

  #draw() {
    this.dataset.shown = String(this.#shown);
    this.style.setProperty('--panel-width', `${this.#width}px`);
    this.body.hidden = this.#edge.hidden = !this.#shown;
    this.#guide.hidden = !this.#shown || !this.#guide.hasAttribute('href');
    this.#edge.setAttribute('aria-valuenow', String(Math.round(this.#width)));
    const action = `${this.#shown ? 'Hide' : 'Show'} the panel`;
    this.#toggle.setAttribute('aria-expanded', String(this.#shown));
    this.#toggle.ariaLabel = action;
    this.#toggle.title = this.#keys ? `${action} (${this.#keys})` : action;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { key } = event;
    /** @type {Object<string, number|undefined>} */
    const widths = { ArrowLeft: this.#width + STEP, ArrowRight: this.#width - STEP, Home: NARROWEST, End: WIDEST };
    const to = widths[key];
    if (to === undefined && key !== 'Enter') return;
    event.preventDefault();
    if (to === undefined) this.emit('showpanel', false);
    else this.emit('widthchange', withinLimits(to));
  }

  /** The width follows the pointer; it is reported when the pointer is released. @param {PointerEvent} event */
  #drag(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = this.#edge;
    const offset = event.clientX - this.getBoundingClientRect().left;
    const ending = new AbortController();
    const { signal } = ending;
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener(
      'pointermove',
      ({ clientX }) => {
        this.width = this.getBoundingClientRect().right - clientX + offset;
      },
      { signal },
    );
    edge.addEventListener(
      'lostpointercapture',
      () => {
        ending.abort();
        this.emit('widthchange', this.#width);
      },
      { signal },
    );
  }
}

customElements.define('side-panel', SidePanel);
