/**
 * Makes the page's bundle in `lab_ui/vendor/page`: `app-VERSION.js` with all that screens share, one `NAME-VERSION.js`
 * for each screen, loaded when it is opened, and `app-VERSION.css`. `vendor/app.html` is the page that names them.
 *
 * Run by `npm run bundle`, which `make page` calls after `build_vendor.mjs`. The backend serves the bundle if
 * `vendor/app.digest` is the digest of the sources as they are, and the modules as written otherwise
 * (`lab_app/api/page.py`). The version is a part of the names, so that browsers may keep the files for ever.
 *
 * esbuild's own splitting makes a file for each set of screens that share a module, fifteen for five screens.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, 'vendor');
const target = join(vendor, 'page');
const OPTIONS = {
  absWorkingDir: here,
  bundle: true,
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  minify: true,
  target: 'es2023',
  write: false,
};

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

/** Names of what modules export, by path. */
async function exportsOf(paths) {
  const { metafile } = await build({
    ...OPTIONS,
    bundle: false,
    entryPoints: paths,
    metafile: true,
    outbase: here,
    outdir: 'out',
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** The modules outside of `js/screens` that screens import. */
async function sharedModules(screens) {
  const found = new Set();
  const entryPoints = screens.map(name => `js/screens/${name}/screen.js`);
  const note = path => {
    found.add(inPage(path));
    return { path, external: true };
  };
  await build({ ...OPTIONS, entryPoints, outdir: 'out', plugins: [sharing(note)] });
  return [...found].sort();
}

/** Resolves imports that lead out of `js/screens` by `resolve`, which gets the path of the file. */
const sharing = resolve => ({
  name: 'sharing',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      const file = join(dirname(importer), path);
      return importer && !inPage(file).startsWith('js/screens/') ? resolve(file) : null;
    });
  },
});

/** Everything but the screens, with the exports that screens use under names of their own. */
function buildApp(version, shared, names) {
  const lines = shared.map((path, n) => `export { ${aliases(names.get(path), n)} } from './${path}';`);
  const screens = {
    name: 'screens',
    setup(plugin) {
      plugin.onResolve({ filter: /screens\/\w+\/screen\.js$/ }, ({ path }) => ({
        path: `./${path.split('/').at(-2)}-${version}.js`,
        external: true,
      }));
    },
  };
  const stdin = { contents: ["export * from './js/main.js';", ...lines].join('\n'), resolveDir: here };
  return build({ ...OPTIONS, stdin, plugins: [screens] });
}

/** One screen, which imports all that is not its own from the app. */
function buildScreen(name, version, shared, names) {
  const namespace = 'app';
  const fromApp = {
    name: namespace,
    setup(plugin) {
      plugin.onResolve({ filter: /^app$/ }, () => ({ path: `./app-${version}.js`, external: true }));
      plugin.onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const n = shared.indexOf(path);
        const list = names.get(path).map(one => `${alias(n, one)} as ${one}`);
        return { contents: `export { ${list.join(', ')} } from 'app';` };
      });
    },
  };
  const resolve = file => ({ path: inPage(file), namespace, sideEffects: false });
  return build({ ...OPTIONS, entryPoints: [`js/screens/${name}/screen.js`], plugins: [sharing(resolve), fromApp] });
}

const alias = (n, name) => `m${n}_${name}`;
const aliases = (names, n) => names.map(name => `${name} as ${alias(n, name)}`).join(', ');

/** The version of a font, a part of its address. */
const versionOf = async path =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16);

/** All style sheets as one. Fonts stay where they are, with a version in their address. */
function buildStyles(paths) {
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
  return build({
    ...OPTIONS,
    format: undefined,
    stdin: { contents, loader: 'css', resolveDir: here },
    plugins: [fonts],
  });
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

const sources = [...(await filesIn('css', /\.(js|css)$/)), ...(await filesIn('js', /\.(js|css)$/))];
const whole = await digest([...sources, 'icon.svg', 'index.html', 'vendor/codemirror.js'].sort());
const version = whole.slice(0, 16);
const page = await readFile(join(here, 'index.html'), 'utf8');
const screens = (await readdir(join(here, 'js/screens'), { withFileTypes: true }))
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);
const shared = await sharedModules(screens);
const names = await exportsOf(shared);
const built = {
  [`app-${version}.js`]: buildApp(version, shared, names),
  [`app-${version}.css`]: buildStyles(await styleSheets(page)),
  ...Object.fromEntries(screens.map(name => [`${name}-${version}.js`, buildScreen(name, version, shared, names)])),
};
await mkdir(target, { recursive: true });
for (const [name, result] of Object.entries(built))
  await write(join(target, name), (await result).outputFiles[0].contents);
// The digest last: a build that is interrupted leaves the old one, which no longer fits, and the modules are served.
await write(join(vendor, 'app.html'), await pageOf(page, version));
await write(join(vendor, 'app.digest'), whole);
for (const name of await readdir(target))
  if (!(name in built) && !name.endsWith('.new')) await rm(join(target, name), { force: true });
const sizes = await Promise.all(
  Object.entries(built).map(async ([name, result]) => {
    const kilobytes = Math.round((await result).outputFiles[0].contents.length / 1000);
    return `${name.replace(`-${version}`, '')} ${kilobytes} kB`;
  }),
);
console.log(`lab_ui/vendor/page: ${sizes.join(', ')}`);
