/**
 * A picture as PDF: the browser prints it, as wide and high as the picture is. It has the letters of every script that
 * the page shows, and they stay letters; libraries that turn SVG into PDF lose those of mixed scripts.
 */
import { imageOf } from './svg_image.js';

/** Of the last picture; ends what it has put into the page. */
let life = new AbortController();

/**
 * Opens the browser's dialog to print, or the window's to save. A picture that is asked for meanwhile comes instead.
 * @param {string} svg with its width and height, in px if no unit is given
 * @param {string} name of the file, without ".pdf": the browser takes it from the title of the page
 */
export async function printPicture(svg, name) {
  life.abort();
  life = new AbortController();
  const { signal } = life;
  const image = await imageOf(svg);
  if (signal.aborted) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${sizeOf(svg)}; margin: 0 }`);
  const { title } = document;
  signal.addEventListener('abort', () => {
    image.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== sheet);
    if (document.title === name) document.title = title;
  });
  image.className = 'printed';
  image.alt = '';
  document.body.append(image);
  document.title = name;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // Not when `print` returns: the window prints a moment later.
  addEventListener('afterprint', () => life.abort(), { signal });
  print();
}

/** Width and height, as style sheets write them. @param {string} svg */
function sizeOf(svg) {
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  return ['width', 'height']
    .map(side => documentElement.getAttribute(side) ?? '')
    .map(length => (/\d$/.test(length) ? `${length}px` : length))
    .join(' ');
}
