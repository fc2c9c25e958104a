/**
 * Makes the page's bundle in `lab_ui/vendor/page`: `app-VERSION.js` with all that screens share, one `NAME-VERSION.js`
 * for each screen, loaded when it is opened, and `app-VERSION.css`. `vendor/app.html` is the page that names them.
 * `vendor/handout.js` and `vendor/handout.css` are what `lab_app/services/handouts` puts into a handout: one script
 * without the editor and the charts, and its styles.
 *
 * Run by `npm run bundle`, which `make page` calls after `build_vendor.mjs`. The backend serves the bundle if
 * `vendor/app.digest` is the digest of the sources as they are, and the modules as written otherwise
 * (`lab_app/api/page.py`). The version is a part of the names, so that browsers may keep the files for ever.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, 'vendor');
const target = join(vendor, 'page');
const inPage = path => relative(here, path).split(sep).join('/');

/** The files of a folder with one of the suffixes, relative to `lab_ui`, in the order of their code points. */
async function filesIn(folder, suffixes) {
  const entries = await readdir(join(here, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && suffixes.test(entry.name));
  return files.map(entry => inPage(join(entry.parentPath, entry.name))).sort();
}

/** The digest that `lab_app.api.page.digest` computes as well: of every path and content. */
async function digest(paths) {
  const whole = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(join(here, path));
    whole.update(`${path}\n${content.length}\n`).update(content);
  }
  return whole.digest('hex');
}

/** The style sheets in their order: those that `index.html` names, then those of the screens. */
async function styleSheets(page) {
  const named = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(match => match[1]);
  return [...named, ...(await filesIn('js/screens', /\.css$/))];
}

/** The modules that are loaded with the first screen that needs them; not the stage that presentations share. */
const OF_SCREENS =
  /[\\/]js[\\/](screens|lessons|app[\\/]presentation(?![\\/](stage|presenter_foot|presentable|settings)\.js))[\\/]/;
/** The name of the screen whose first module that is; undefined for other modules. */
const screenOf = path => path?.match(/[\\/]js[\\/]screens[\\/](\w+)[\\/]screen\.js$/)?.[1];

/** The scripts by name: the app, with all that is no screen's own, one per screen, one per part that it loads later. */
async function buildScripts(version) {
  const bundle = await rolldown({
    cwd: here,
    input: { app: 'js/main.js' },
    preserveEntrySignatures: 'allow-extension',
  });
  const { output } = await bundle.generate({
    minify: true,
    comments: false,
    entryFileNames: `[name]-${version}.js`,
    chunkFileNames: chunk => `${screenOf(chunk.facadeModuleId) ?? '[name]'}-${version}.js`,
    codeSplitting: { groups: [{ name: 'app', test: path => !OF_SCREENS.test(path) }] },
  });
  return output.map(({ fileName, code }) => [fileName, code]);
}

/** The script of a handout, in one piece. */
async function buildHandout() {
  const bundle = await rolldown({ cwd: here, input: 'js/handout/main.js' });
  const { output } = await bundle.generate({ minify: true, comments: false, format: 'iife', codeSplitting: false });
  if (output.length !== 1) throw new Error(`a handout has one script, and not ${output.length}`);
  return output[0].code;
}

/** The version of a font, a part of its address. */
const versionOf = async path =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16);

/** All style sheets as one. Fonts stay where they are, with a version in their address. */
async function buildStyles(paths) {
  const fonts = {
    name: 'fonts',
    setup(plugin) {
      plugin.onResolve({ filter: /\.woff2$/ }, async ({ path, resolveDir }) => {
        const version = await versionOf(join(resolveDir, path));
        return { path: `${path.replace('../vendor/', '../')}?v=${version}`, external: true };
      });
    },
  };
  const contents = paths.map(path => `@import "./${path}";`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, loader: 'css', resolveDir: here },
    bundle: true,
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [fonts],
    write: false,
  });
  return outputFiles[0].contents;
}

const STYLES = /( *<link rel="stylesheet" href="[^"]+">\n)+/;
const SCRIPT = '<script type="module" src="js/main.js"></script>';
const MARK = /.*<!-- STYLES OF SCREENS -->\n/;
const PRELOAD = /.*<link rel="modulepreload"[^>]*>\n/g;
const FONT = /href="(vendor\/fonts\/[^"]+)"/g;

/** The page that names the bundle. */
async function pageOf(page, version) {
  if (!STYLES.test(page) || !page.includes(SCRIPT))
    throw new Error('index.html no longer names its styles and js/main.js as build_page.mjs expects');
  const fonts = new Map();
  for (const [, path] of page.matchAll(FONT)) fonts.set(path, await versionOf(join(here, path)));
  return page
    .replace(FONT, (_, path) => `href="${path}?v=${fonts.get(path)}"`)
    .replace(PRELOAD, '')
    .replace(MARK, '')
    .replace('href="icon.svg"', `href="icon.svg?v=${version}"`)
    .replace('src="css/system_theme.js"', `src="css/system_theme.js?v=${version}"`)
    .replace(STYLES, `  <link rel="stylesheet" href="vendor/page/app-${version}.css">\n`)
    .replace(SCRIPT, `<script type="module" src="vendor/page/app-${version}.js"></script>`);
}

/** A file is whole or not there. Two builds at once write the same files; each has temporary files of its own. */
async function write(path, content) {
  const temporary = `${path}.${process.pid}.new`;
  await writeFile(temporary, content);
  await rename(temporary, path);
}

/** Styles of a handout: no fonts, which would be larger than all else. */
const OF_HANDOUT = [
  'css/reset.css',
  'css/variables.css',
  'css/base.css',
  'css/components/controls.css',
  'css/components/form.css',
  'css/components/lesson.css',
  'css/components/exercises.css',
  'js/handout/handout.css',
];

const sources = [...(await filesIn('css', /\.(js|css)$/)), ...(await filesIn('js', /\.(js|css)$/))];
const whole = await digest([...sources, 'icon.svg', 'index.html', 'vendor/codemirror.js'].sort());
const version = whole.slice(0, 16);
const page = await readFile(join(here, 'index.html'), 'utf8');
const built = new Map([
  ...(await buildScripts(version)),
  [`app-${version}.css`, await buildStyles(await styleSheets(page))],
]);
await mkdir(target, { recursive: true });
for (const [name, content] of built) await write(join(target, name), content);
const handout = [await buildHandout(), await buildStyles(OF_HANDOUT)];
await write(join(vendor, 'handout.js'), handout[0]);
await write(join(vendor, 'handout.css'), handout[1]);
// The digest last: a build that is interrupted leaves the old one, which no longer fits, and the modules are served.
await write(join(vendor, 'app.html'), await pageOf(page, version));
await write(join(vendor, 'app.digest'), whole);
for (const name of await readdir(target))
  if (!built.has(name) && !name.endsWith('.new')) await rm(join(target, name), { force: true });
const sizes = [...built].map(
  ([name, { length }]) => `${name.replace(`-${version}`, '')} ${Math.round(length / 1000)} kB`,
);
const [script, styles] = handout.map(({ length }) => `${Math.round(length / 1000)} kB`);
console.log(`lab_ui/vendor/page: ${sizes.join(', ')}; handout: ${script} and ${styles} of styles`);
