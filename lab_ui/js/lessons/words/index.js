/** The sentences of the lessons in the language that is shown. Tests put others in their place. */
import { EN } from './en.js';

/** @typedef {typeof EN} Words */

export const words = { ...EN };
