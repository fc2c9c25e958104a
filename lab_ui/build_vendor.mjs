/**
 * Makes `lab_ui/vendor/`: the third-party files that the page and `/docs` load, with their licences.
 *
 * Run by `npm run build`, which `make` calls. `build_page.mjs` bundles the lab's own files.
 */
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '..', 'node_modules');
const target = join(here, 'vendor');
// Made beside the target and renamed at the end, so that a build that fails leaves the old files.
const work = join(here, 'vendor.new');

const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * Files that the page does without, and what stands in for them. Plotly writes style sheets into the page, which the
 * page's policy refuses (`css/components/chart.css` has the rules); two small packages come without a licence file.
 */
const REPLACED = [
  [/plotly\.js[\\/]build[\\/]plotcss\.js$/, ''],
  [/maplibre-gl\.css$/, ''],
  [/native-promise-only[\\/]lib[\\/]npo\.src\.js$/, ''],
  [/node_modules[\\/]has-hover[\\/]index\.js$/, "module.exports = !matchMedia('(hover: none)').matches;"],
];

const replacementOf = path => REPLACED.find(([pattern]) => pattern.test(path));

const replaced = {
  name: 'replaced',
  load(path) {
    const found = replacementOf(path);
    return found ? { code: found[1], moduleType: 'js' } : null;
  },
};

/** Bundles `NAME.entry.js` into the module `NAME.js` and returns the names of the packages that went into it. */
async function bundle(name) {
  const made = await rolldown({
    input: join(here, `${name}.entry.js`),
    plugins: [replaced],
    transform: { define: { global: 'globalThis' }, target: 'es2022' },
  });
  const { output } = await made.generate({ minify: true, comments: false, codeSplitting: false });
  await writeFile(join(work, `${name}.js`), output[0].code);
  const shipped = output[0].moduleIds.filter(path => !replacementOf(path));
  const names = shipped.flatMap(path => path.match(/.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The types of CodeMirror's module, for `npm run check`: the entry says which names come from which package. */
async function writeTypes() {
  await cp(join(here, 'codemirror.entry.js'), join(work, 'codemirror.d.ts'));
}

/** Variable fonts: one file has all weights. JetBrains Mono comes in parts, one for each script. */
async function copyFonts() {
  const folder = join(work, 'fonts');
  const parts = join(modules, '@fontsource-variable', 'jetbrains-mono', 'files');
  await mkdir(folder);
  await cp(join(modules, 'inter-ui', 'variable', 'InterVariable.woff2'), join(folder, 'inter.woff2'));
  for (const name of (await readdir(parts)).filter(file => file.endsWith('-wght-normal.woff2'))) {
    await cp(join(parts, name), join(folder, name.replace('-wght-normal', '')));
  }
}

async function copySwagger() {
  const folder = join(work, 'swagger-ui');
  await mkdir(folder);
  for (const name of SWAGGER_FILES) await cp(join(modules, 'swagger-ui-dist', name), join(folder, name));
}

/** The text of a package's licence, from its own file or its README; a package without one must not be shipped. */
async function licenceOf(name) {
  const folder = join(modules, name);
  const all = await readdir(folder);
  const files = all.filter(file => /^(licen[cs]e|notice)/i.test(file)).sort();
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')));
  if (!texts.length) {
    const readme = await readFile(join(folder, all.find(file => /^readme/i.test(file)) ?? 'README.md'), 'utf8');
    const [, text] = readme.match(/^#+ licen[cs]e\s+([\s\S]*permission is hereby granted[\s\S]*)/im) ?? [];
    if (!text) throw new Error(`${name} has no licence text: it cannot be bundled`);
    texts.push(text);
  }
  return `${name} ${version} (${license})\n\n${texts.join('\n\n').trim()}\n`;
}

async function writeLicences(names) {
  const parts = [];
  for (const name of names) parts.push(await licenceOf(name));
  const bundled = join(modules, 'swagger-ui-dist', 'swagger-ui-bundle.js.LICENSE.txt');
  parts.push(`Inside swagger-ui-bundle.js\n\n${(await readFile(bundled, 'utf8')).trim()}\n`);
  await writeFile(join(work, 'LICENSES.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
}

await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
const bundled = [...new Set([...(await bundle('codemirror')), ...(await bundle('plotly'))])].sort();
await writeTypes();
await copyFonts();
await copySwagger();
await writeLicences([...bundled, 'inter-ui', '@fontsource-variable/jetbrains-mono', 'swagger-ui-dist']);
await rm(target, { recursive: true, force: true });
await rename(work, target);
console.log(`lab_ui/vendor: codemirror.js and plotly.js (${bundled.length} packages), fonts and swagger-ui`);
