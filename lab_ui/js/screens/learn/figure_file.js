/** The figure of a lesson as a file, with the colours of the page, its title and its sentence. */
import { lessonPicture } from '../../lessons/lesson_picture.js';
import { fontStyle } from '../../picture/fonts.js';
import { pngOf } from '../../picture/png.js';

const SCALE = 2; // pixels of a picture for one of the screen

/**
 * @param {{element: SVGElement, caption: string}} figure @param {string} title @param {'png'|'svg'} format
 * @returns {Promise<Blob>}
 */
export async function figureFile({ element, caption }, title, format) {
  const style = getComputedStyle(document.documentElement);
  const [paper, ink] = ['--paper', '--ink'].map(name => style.getPropertyValue(name));
  const fonts = await fontStyle(`${element.textContent}${title}${caption}`);
  const picture = lessonPicture(element, { title, caption, paper, ink, fonts });
  if (format === 'svg') return new Blob([picture.svg], { type: 'image/svg+xml' });
  return pngOf(picture, SCALE, { Title: title, Description: caption });
}
