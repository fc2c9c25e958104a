/** Measures colours: contrast of text, and distance between neighbours. */

/** The linear red, green and blue of a colour, 0 to 1. @param {string} hex */
export const linear = hex =>
  [1, 3, 5]
    .map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** Contrast of two linear colours, as WCAG 2 defines it. */
export const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

function oklab([r, g, b]) {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([L, a, b]) {
  const [l, m, s] = [
    L + 0.3963377774 * a + 0.2158037573 * b,
    L - 0.1055613458 * a - 0.0638541728 * b,
    L - 0.0894841775 * a - 1.291485548 * b,
  ].map(c => c ** 3);
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Its OKLab lightness, 0 to 1. */
export const lightness = colour => oklab(colour)[0];

/**
 * Vision that lacks one kind of cone: matrices for linear colours.
 * Source: Machado, Oliveira, Fernandes 2009, severity 1.
 */
const VISIONS = {
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/** A colour as each of the four kinds of vision sees it. @returns {Record<string, number[]>} linear */
export const seen = colour => {
  const by = matrix =>
    [0, 3, 6].map(row =>
      Math.min(
        1,
        Math.max(
          0,
          colour.reduce((sum, c, n) => sum + c * matrix[row + n], 0),
        ),
      ),
    );
  return { normal: colour, ...Object.fromEntries(Object.entries(VISIONS).map(([name, matrix]) => [name, by(matrix)])) };
};

/** How far two linear colours are from each other in OKLab, times 100. */
export const distance = (a, b) => 100 * Math.hypot(...oklab(a).map((c, n) => c - oklab(b)[n]));
/** A share of the second colour in the first, mixed in OKLab. */
export const mixed = (a, b, share) => fromOklab(oklab(a).map((c, n) => c * (1 - share) + oklab(b)[n] * share));
