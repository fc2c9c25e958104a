/** All lessons that a scene shows, in the order of the list. */
import { bpeEncode } from './bpe_encode.js';
import { pipeline } from './pipeline.js';
import { unigramEncode } from './unigram_encode.js';
import { utf8 } from './utf8.js';
import { wordpieceEncode } from './wordpiece_encode.js';

/** @type {import('./scene.js').Scene[]} */
export const SCENES = [utf8, pipeline, bpeEncode, wordpieceEncode, unigramEncode];
