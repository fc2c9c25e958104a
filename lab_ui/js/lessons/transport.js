/**
 * Start, back, play, forward, one bar for all steps with its stops, and the speed. Follows a player.
 */
import { LabElement } from '../ui/element.js';
import { h, setText, update } from '../ui/dom.js';
import { ICONS, icon } from '../ui/icons.js';
import { SPEEDS } from './player.js';
import { words } from './words/index.js';

const PLAY = 'M8 5l11 7-11 7z';
const PAUSE = 'M8 5v14M16 5v14';
const START = 'M18 5l-8 7 8 7M6 5v14';
/** Width of a letter of a stop, and between two stops, in px. */
const LETTER = 6.5;
const GAP = 10;

export class LessonTransport extends LabElement {
  /** @type {import('./player.js').Player} */
  #player;
  /** The control for all steps. */
  bar = h('input', {
    type: 'range',
    min: '0',
    step: '1',
    'aria-label': words.transport.step,
    oninput: () => this.#player.step(Number(this.bar.value) - this.#player.at),
  });
  /** Whether stops that are still to come keep their words, which would be answers. */
  hidesAhead = false;
  #stops = h('div', { class: 'lesson-stops' });
  #count = h('span', { class: 'lesson-step' });
  #play = this.#button('play', PLAY, () => this.#player.toggle());
  #buttons = {
    start: this.#button('start', START, () => this.#player.step(-this.#player.at)),
    back: this.#button('back', ICONS.back, () => this.#player.step(-1)),
    forward: this.#button('forward', ICONS.on, () => this.#player.step(1)),
  };
  #speed = h(
    'select',
    {
      'aria-label': words.transport.speed,
      onchange: () => {
        this.#player.speed = Number(this.#speed.value);
      },
    },
    ...SPEEDS.map(speed => h('option', { value: String(speed), selected: speed === 1 }, `${speed}×`)),
  );

  render() {
    this.role = 'group';
    this.ariaLabel = words.transport.group;
    const { start, back, forward } = this.#buttons;
    this.append(start, back, this.#play, forward, h('div', { class: 'lesson-bar' }, this.bar, this.#stops));
    this.append(this.#count, this.#speed);
  }

  /** @param {import('./player.js').Player} player */
  set player(player) {
    this.#player = player;
    player.addEventListener('place', () => this.#draw());
  }

  /** @param {string} text what the step did, for those who hear the bar */
  set sentence(text) {
    this.bar.setAttribute('aria-valuetext', `${words.transport.place(this.#player.at, this.#player.last)}: ${text}`);
  }

  /** @param {'start'|'back'|'play'|'forward'} name @param {string} path @param {() => void} onclick */
  #button(name, path, onclick) {
    const label = words.transport[name];
    const properties = { type: 'button', class: `button framed lesson-${name}`, 'aria-label': label, title: label };
    return h('button', { ...properties, onclick }, icon(path, 16));
  }

  #draw() {
    const { at, last, stops, isPlaying } = this.#player;
    this.bar.max = String(last);
    this.bar.value = String(at);
    this.bar.disabled = !last;
    this.style.setProperty('--done', last ? String(at / last) : '0');
    setText(this.#count, words.transport.place(at, last));
    const label = isPlaying ? words.transport.pause : words.transport.play;
    if (this.#play.ariaLabel !== label) {
      this.#play.ariaLabel = this.#play.title = label;
      this.#play.replaceChildren(icon(isPlaying ? PAUSE : PLAY, 16));
    }
    this.#buttons.start.disabled = this.#buttons.back.disabled = at === 0;
    this.#buttons.forward.disabled = at === last;
    update(
      this.#stops,
      withRoom(stops, last, this.#stops.clientWidth),
      stop => stop.at,
      stop => h('button', { type: 'button', onclick: () => this.#player.step(stop.at - this.#player.at) }),
      (button, stop) => {
        const isHidden = this.hidesAhead && stop.isToken && stop.at > at;
        setText(button, isHidden ? '○' : stop.word);
        button.ariaLabel = isHidden ? words.transport.place(stop.at, last) : null;
        button.style.setProperty('--at', String(last ? stop.at / last : 0));
        button.ariaCurrent = stop.at === at ? 'step' : null;
        button.classList.toggle('passed', stop.at <= at);
      },
    );
  }
}

/**
 * The stops whose words have room beside each other: the last one, and of the others the first ones.
 * @param {import('./player.js').Stop[]} stops @param {number} last @param {number} width px
 */
function withRoom(stops, last, width) {
  /** @param {import('./player.js').Stop} stop */
  const half = ({ word }) => (Math.min(90, word.length * LETTER) + GAP) / 2;
  /** @param {import('./player.js').Stop} stop */
  const centre = ({ at }) => (at / Math.max(1, last)) * width;
  const end = stops[stops.length - 1];
  let free = -Infinity;
  return stops.filter(stop => {
    const isShown =
      stop === end || (centre(stop) - half(stop) >= free && centre(stop) + half(stop) <= centre(end) - half(end));
    if (isShown) free = centre(stop) + half(stop);
    return isShown;
  });
}

customElements.define('lesson-transport', LessonTransport);
