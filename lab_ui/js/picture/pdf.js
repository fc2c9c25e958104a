/**
 * A picture as PDF: the browser prints it, as wide and high as the picture is. It has the letters of every script that
 * the page shows, and they stay letters; libraries that turn SVG into PDF lose those of mixed scripts.
 */

/** Of the last picture; ends what it has put into the page. */
let before = new AbortController();

/**
 * Opens the browser's dialog to print, or the window's to save.
 * @param {string} svg with its width and height, in px if no unit is given
 * @param {string} name of the file, without ".pdf": the browser takes it from the title of the page
 */
export async function printPicture(svg, name) {
  before.abort();
  before = new AbortController();
  const size = sizeOf(svg);
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${size}; margin: 0 }`);
  const { title, adoptedStyleSheets } = document;
  const end = () => {
    image.remove();
    URL.revokeObjectURL(url);
    document.title = title;
    document.adoptedStyleSheets = adoptedStyleSheets;
  };
  before.signal.addEventListener('abort', end);
  image.className = 'printed';
  image.alt = '';
  image.src = url;
  document.body.append(image);
  await image.decode();
  document.title = name;
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
  // Not when `print` returns: the window prints a moment later.
  addEventListener('afterprint', () => before.abort(), { signal: before.signal });
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
