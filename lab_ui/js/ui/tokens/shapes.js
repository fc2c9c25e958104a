/**
 * The shapes of tokenizers by their letters, and of the rows of a benchmark: the marks of charts, as Plotly names them.
 * The charts of the backend have the same ones (`lab_app/charts/look.py`), badges those of
 * `css/components/controls.css`.
 */
export const SHAPES = ['circle', 'square', 'diamond', 'triangle-up', 'hexagon', 'triangle-down', 'hexagram', 'cross'];

/** The shape of a number, from 0; the ninth has the hue of the first and another shape. @param {number} number */
export const shapeOf = number => SHAPES[(number + Math.floor(number / SHAPES.length)) % SHAPES.length];
