import './page.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { ErrorBanner } from '../../lab_ui/js/app/frame/error_banner.js';
import { guideOf, PAGES } from '../../lab_ui/js/app/guide.js';
import { SCREENS } from '../../lab_ui/js/screens.js';

const docs = new URL('../../docs/', import.meta.url);

/** The anchors of a page: its headings in small letters, with hyphens. @param {string} page */
const anchors = page =>
  [...readFileSync(new URL(`${page}.md`, docs), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

for (const [subject, target] of Object.entries(PAGES))
  test(`the guide has what is linked from ${subject}`, () => {
    const [page, part] = target.split('#');
    const found = anchors(page);
    assert.ok(found.length);
    if (part) assert.ok(found.includes(part), `docs/${page}.md has ${found}`);
  });

test('every screen has a page', () => {
  for (const { name } of SCREENS) assert.match(guideOf(name), /^\.\.\/guide\/.+\.html/);
});

test('what has no page leads to the first one', () => assert.equal(guideOf('nothing'), '../guide/'));

test('an error with a page links to it, another one does not', () => {
  const banner = new ErrorBanner();
  document.body.append(banner);
  banner.error = { message: 'The disk is full', code: 'disk_full' };
  assert.equal(banner.querySelector('a').getAttribute('href'), guideOf('disk_full'));
  banner.error = { message: 'No such tokenizer', code: 'not_found' };
  assert.equal(banner.querySelector('a'), null);
});
