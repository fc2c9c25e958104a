/** SVG as text: nothing that a text holds becomes markup, and what XML cannot hold is not in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escaped, svgFile, tag } from '../../lab_ui/js/ui/svg_text.js';

test('markup in a text is text', () => {
  assert.equal(
    escaped(`<script>alert("1")</script> & 'x'`),
    '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;',
  );
  assert.equal(
    tag('g', { 'data-id': '"><script>' }, escaped('<b>')),
    '<g data-id="&#34;&#62;&#60;script&#62;">&#60;b&#62;</g>',
  );
});

test('characters that XML cannot hold, or that turn the writing, stand there by name', () => {
  assert.equal(escaped('a\0b\u202ec\ud800d\ufffee\x1bf\u2066'), 'aNULbRLOcU+D800dU+FFFEeESCfLRI');
  assert.equal(escaped('👩\u200d🔬 日本 مرحبا'), '👩\u200d🔬 日本 مرحبا', 'what belongs to a text stays');
});

test('attributes that are nothing are left out, numbers are short', () => {
  assert.equal(tag('rect', { x: 1.23456, y: 0, fill: null, stroke: undefined, rx: '' }), '<rect x="1.23" y="0"/>');
  assert.match(
    svgFile({ width: 10, height: 20.5, title: 'a < b' }, [tag('g', {})]),
    new RegExp(
      '^<\\?xml.*\\n<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20.5" ' +
        'viewBox="0 0 10 20.5" role="img"><title>a &#60; b</title><g/></svg>\\n$',
    ),
  );
});
