/** Saves the figure of a lesson, with the colours of the page, its title and its sentence. */
import { saveFile } from '../../app/files/files.js';
import { lessonPicture } from '../../lessons/lesson_picture.js';
import { fontStyle } from '../../picture/fonts.js';
import { printPicture } from '../../picture/pdf.js';
import { pngOf } from '../../picture/png.js';

const SCALE = 2; // pixels of a picture for one of the screen

/**
 * @param {{element: SVGElement, caption: string}} figure @param {string} title
 * @param {string} name of the file, without its ending @param {'pdf'|'png'|'svg'} format a PDF is printed
 */
export async function saveFigure({ element, caption }, title, name, format) {
  const style = getComputedStyle(document.documentElement);
  const [paper, ink] = ['--paper', '--ink'].map(name => style.getPropertyValue(name));
  const fonts = await fontStyle(`${element.textContent}${title}${caption}`);
  const picture = lessonPicture(element, { title, caption, paper, ink, fonts });
  if (format === 'pdf') await printPicture(picture.svg, name);
  else if (format === 'svg') saveFile(`${name}.svg`, new Blob([picture.svg], { type: 'image/svg+xml' }));
  else saveFile(`${name}.png`, await pngOf(picture, SCALE, { Title: title, Description: caption }));
}
