/**
 * Makes the page's bundle: `lab_ui/vendor/app.js`, `app.css` and `app.html`, three files instead of some 160.
 *
 * Run by `npm run bundle`, which `make page` calls after `build_vendor.mjs`. The backend serves the bundle if
 * `app.digest` is the digest of the sources as they are, and the modules as written otherwise (`lab_app/api/page.py`).
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, 'vendor');

/** Paths of everything that goes into the bundle, relative to `lab_ui`, in the order of their code points. */
async function sources() {
  const found = [];
  for (const folder of ['css', 'js']) {
    for (const entry of await readdir(join(here, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.(js|css)$/.test(entry.name))
        found.push(relative(here, join(entry.parentPath, entry.name)).split(sep).join('/'));
    }
  }
  return [...found, 'index.html', 'vendor/codemirror.js'].sort();
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

const STYLES = /( *<link rel="stylesheet" href="([^"]+)">\n)+/;
const STYLE = /<link rel="stylesheet" href="([^"]+)">/g;
const SCRIPT = '<script type="module" src="js/main.js"></script>';
const PRELOAD = /.*<link rel="modulepreload"[^>]*>\n/g;

const version = await digest(await sources());
const page = await readFile(join(here, 'index.html'), 'utf8');
const styles = [...page.matchAll(STYLE)].map(match => `@import "./${match[1]}";`).join('\n');
if (!styles || !page.includes(SCRIPT))
  throw new Error('index.html no longer names its styles and js/main.js as build_page.mjs expects');
const html = page
  .replace(PRELOAD, '')
  .replace(STYLES, `  <link rel="stylesheet" href="vendor/app.css?v=${version.slice(0, 16)}">\n`)
  .replace(SCRIPT, `<script type="module" src="vendor/app.js?v=${version.slice(0, 16)}"></script>`);
const options = {
  bundle: true,
  minify: true,
  write: false,
  legalComments: 'none',
  absWorkingDir: here,
  logLevel: 'warning',
};
const [script, style] = await Promise.all([
  build({ ...options, entryPoints: ['js/main.js'], format: 'esm', target: 'es2023' }),
  build({ ...options, stdin: { contents: styles, loader: 'css', resolveDir: here }, external: ['*.woff2'] }),
]);
const made = {
  'app.js': script.outputFiles[0].contents,
  'app.css': style.outputFiles[0].contents,
  'app.html': html,
  'app.digest': version,
};
// The digest last: a build that is interrupted leaves the old one, which no longer fits, and the modules are served.
for (const [name, content] of Object.entries(made)) {
  await writeFile(join(target, `${name}.new`), content);
  await rename(join(target, `${name}.new`), join(target, name));
}
const kilobytes = name => `${name} (${Math.round(made[name].length / 1000)} kB)`;
console.log(`lab_ui/vendor: ${kilobytes('app.js')} and ${kilobytes('app.css')}`);
