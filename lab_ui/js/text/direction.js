/** Which way a text runs. */

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Hanifi_Rohingya}]/u;

/** @param {string} text @returns {'ltr'|'rtl'} that of its first letter */
export function directionOf(text) {
  const [letter] = LETTER.exec(text) ?? [''];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
