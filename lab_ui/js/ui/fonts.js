/** Loads every font of the page, so that measurements stay true. The system's fonts replace one that is missing. */
export const fontsLoaded = () => Promise.allSettled([...document.fonts].map(face => face.load()));
