import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fontStyle } from '../../lab_ui/js/picture/fonts.js';

const RULE = {
  'font-family': '"JetBrains Mono"',
  'unicode-range': 'U+0-FF',
  'font-weight': '400',
  src: 'url(a.woff2)',
};
const globals = /** @type {any} */ (globalThis);
const { fetch } = globals;

/** A rule of a style sheet, as far as the fonts read it. */
class FontFaceRule {
  style = { getPropertyValue: name => RULE[name] };
}

after(() => {
  globals.fetch = fetch;
  delete globals.CSSFontFaceRule;
  delete globals.document;
});

test('a font that could not be read once is asked for again, and then kept', async () => {
  globals.CSSFontFaceRule = FontFaceRule;
  globals.document = { styleSheets: [{ cssRules: [new FontFaceRule()], href: 'http://lab/css/fonts.css' }] };
  const asked = [];
  globals.fetch = async url => {
    asked.push(url);
    return asked.length === 1 ? new Response(null, { status: 503 }) : new Response(new Uint8Array([1, 2, 3]));
  };
  await assert.rejects(fontStyle('a'), /status 503/);
  assert.match(await fontStyle('a'), /src:url\(data:font\/woff2;base64,AQID\)/);
  assert.match(await fontStyle('b'), /base64,AQID/);
  assert.deepEqual(asked, ['http://lab/css/a.woff2', 'http://lab/css/a.woff2']);
});
