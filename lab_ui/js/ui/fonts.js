/**
 * Loads every font of the page: what is measured afterwards does not move. A font that is missing is replaced by the
 * system's.
 */
export const fontsLoaded = () => Promise.allSettled([...document.fonts].map(face => face.load()));
