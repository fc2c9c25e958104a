/** The widths that a panel on the right can have, in px. */
export const NARROWEST = 240;
export const WIDEST = 720;

/** @param {number} width @returns {number} the nearest one that a panel can have */
export const withinLimits = width => Math.min(WIDEST, Math.max(NARROWEST, Math.round(width)));
