/** The guide's pages that screens, panels and errors link to. tests/js/guide.test.js checks that each is in docs. */

/** Where the guide is, seen from the page. It opens beside the lab: in the browser, if the lab is a window. */
export const GUIDE = '../guide/';

/** By screen, `panel` after its name, and by code of an error. @type {Object<string, string>} */
export const PAGES = {
  inspect: 'guide/inspect',
  'inspect panel': 'guide/inspect#the-drawer',
  compare: 'guide/compare',
  'compare panel': 'guide/compare#the-panel',
  vocabulary: 'guide/vocabulary',
  'vocabulary panel': 'guide/vocabulary#the-panel',
  corpus: 'guide/corpus',
  'corpus panel': 'guide/corpus#what-is-shown',
  chat: 'guide/chat#the-chat-screen',
  'chat panel': 'guide/chat#test-a-template',
  benchmark: 'guide/benchmark#the-benchmark-screen',
  'benchmark panel': 'guide/benchmark#how-to-read-the-figures',
  train: 'guide/train#the-train-screen',
  'train panel': 'guide/train#choose-an-algorithm',
  workshop: 'guide/workshop',
  'workshop panel': 'guide/workshop#the-screen',
  learn: 'guide/learn',
  'learn panel': 'guide/learn#two-ways',
  library: 'guide/library',
  reports: 'guide/reports',
  gated: 'guide/library#from-the-hugging-face-hub',
  token_refused: 'guide/library#from-the-hugging-face-hub',
  unavailable: 'guide/troubleshooting#a-download-fails',
  unauthorized: 'guide/troubleshooting#the-browser-says-that-i-am-not-let-in',
  load_error: 'guide/troubleshooting#a-file-cannot-be-added',
  encode_error: 'guide/troubleshooting#a-text-cannot-be-encoded',
  too_large: 'reference/settings',
  train_error: 'guide/train#if-something-goes-wrong',
  store_error: 'guide/troubleshooting#the-data-folder-is-damaged-or-full',
  disk_full: 'guide/troubleshooting#the-data-folder-is-damaged-or-full',
  internal: 'guide/troubleshooting#something-else-fails',
};

/** @param {string} [subject] one of `PAGES` @returns {string} the address of its page; of the first page for others */
export function guideOf(subject = '') {
  const [file, part] = (PAGES[subject] ?? '').split('#');
  return GUIDE + (file && `${file}.html`) + (part ? `#${part}` : '');
}

/** The attributes of every link to the guide. */
export const BESIDE = { target: '_blank', rel: 'noreferrer' };
