/** All lessons, in the order of the list. */
import { bpeEncode } from './bpe_encode.js';
import { bpeTrain, wordpieceTrain } from './train.js';
import { chatTemplate } from './chat_template.js';
import { encoders } from './encoders.js';
import { languages } from './languages.js';
import { pipeline, sentencepiece, specialTokens } from './pipeline.js';
import { unigramTrain } from './unigram_train.js';
import { unigramEncode } from './unigram_encode.js';
import { utf8 } from './utf8.js';
import { wordpieceEncode } from './wordpiece_encode.js';

/** Lessons whose steps come from the engine. @type {import('./scene.js').Scene[]} */
export const SCENES = [
  utf8,
  pipeline,
  sentencepiece,
  specialTokens,
  chatTemplate,
  bpeEncode,
  wordpieceEncode,
  unigramEncode,
  bpeTrain,
  wordpieceTrain,
  unigramTrain,
  encoders,
  languages,
];

/** Place the boundaries: it has no steps (`place_view.js`). @type {import('./scene.js').LessonEntry} */
export const PLACE = {
  name: 'boundaries',
  group: 'start',
  model: '',
  example: "I don't tokenize 2048 unbelievable words.",
};

/** How many tokens a text has: the same without boundaries to place. @type {import('./scene.js').LessonEntry} */
export const COUNT = {
  name: 'text',
  group: 'start',
  model: '',
  example: "The tokenizer didn't split 12345 unaffordable words.",
};

/** @type {import('./scene.js').LessonEntry[]} */
export const LESSONS = [PLACE, COUNT, ...SCENES];
