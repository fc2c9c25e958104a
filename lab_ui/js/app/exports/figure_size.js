/** How wide a saved chart is and how large its text: as on the screen, or in cm and points for a paper. */

/** @typedef {import('../../ui/chart_figure.js').FigureSize} FigureSize */

/** Widths by the setting `figureWidth`, in cm: of one column of a paper, and of both. @type {Object<string, number>} */
export const WIDTHS_CM = { column: 8.5, page: 17 };

/** @param {Pick<import('../state/settings.js').Settings, 'get'>} settings @returns {FigureSize} */
export const figureSize = settings => ({
  widthCm: WIDTHS_CM[settings.get('figureWidth')] ?? null,
  textPt: Number(settings.get('figureText')),
  hasTitle: settings.get('figureTitle'),
});
