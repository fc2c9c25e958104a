/** The list of prepared texts: those that come with the lab, and what can be done to a list. No page. */
import { hasHalfCharacter } from '../../util/utf8.js';

/** Bytes of all texts of the list: they are kept with the preferences, which are small. */
export const MOST_BYTES = 32_000;
const MOST_KB = MOST_BYTES / 1000;
export const TOO_LARGE = `The list is full: it holds ${MOST_KB} kB of text. Remove one, or open a long one in the lab.`;
const HALF = 'A text has half of a character, which cannot be kept. Remove it, then add the text again.';
const LONGEST_NAME = 60; // characters

/** Six short lines each: they fit a window of 1280 by 720 with two tokenizers. */
export const BUILT_IN = [
  [
    "Tokenization isn't neutral: unaffordable words fall apart.",
    '東京の寿司は高い。',
    'She unbelievably disliked antidisestablishmentarianism.',
    'Hyperinflation: one bowl of ramen costs 20,480,000 yen.',
    "Strawberry: how many r's do you see?",
    'for i in range(10): total += price[i] * 1.1',
  ],
  [
    'All human beings are born free and equal.',
    'Alle Menschen sind frei und gleich geboren.',
    'Tous les êtres humains naissent libres et égaux.',
    'すべての人間は、生まれながらにして自由である。',
    'सभी मनुष्य जन्म से स्वतंत्र हैं।',
    'يولد جميع الناس أحرارًا متساوين.',
  ],
  [
    '7 77 777 7777 77777 777777 7777777',
    '3.14159265358979',
    '12 + 34 = 46, and 1234 + 5678 = 6912',
    'One million is 1,000,000 or 1000000 or 10^6.',
    'The meeting is on 2028-02-29 at 23:59:59.',
    'Call 555-0199 or write to 192.168.0.1.',
  ],
  [
    "don't DON'T Don’t dont",
    'one two  three   four    five',
    'Straßenbahnhaltestelle, naïve café, Ångström',
    'Good morning ☀️ and good night 🌙',
    '👩‍🔬 met 👨‍👩‍👧‍👦 in 🇯🇵 and 🇧🇷',
    'aaaaaaaaaaaaaaaa looooooong !!!!!!!!',
  ],
].map(lines => lines.join('\n'));

const encoder = new TextEncoder();

/**
 * Whether texts are small enough to be kept.
 * @param {Object<string, string>|string[]} texts @param {number} [most] bytes
 */
export const isSmallEnough = (texts, most = MOST_BYTES) => encoder.encode(JSON.stringify(texts)).length <= most;

/** Why a list of texts cannot be kept, or ''. @param {string[]} texts */
export function problemOf(texts) {
  if (texts.some(hasHalfCharacter)) return HALF;
  return isSmallEnough(texts) ? '' : TOO_LARGE;
}

/** What a list shows of a text: its first line with a character. @param {string} text */
export function nameOf(text) {
  const line = text.split('\n').find(one => /\S/.test(one)) ?? '';
  const characters = [...line.trim()];
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : characters.join('');
}
