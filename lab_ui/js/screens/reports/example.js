/** What Reports shows before anything is saved: one sentence and an example of a session. */
import { h } from '../../ui/dom.js';

/** @param {string} title @param {...(Node|string)} content */
const part = (title, ...content) => h('li', {}, h('b', {}, title), h('span', {}, ...content));

/** @returns {HTMLElement} */
export const emptyReports = () =>
  h(
    'section',
    { class: 'reports-empty', 'aria-label': 'Nothing is saved yet' },
    h(
      'p',
      { class: 'reports-purpose' },
      'Save a session to repeat it later, here or in a colleague’s lab, ' +
        'and to see whether the tokens are still the same.',
    ),
    h(
      'figure',
      {},
      h('figcaption', { class: 'dim' }, 'Example'),
      h(
        'ol',
        { class: 'session-example' },
        part('Text', h('q', {}, 'unaffordable words')),
        part('Tokenizer', 'gpt2, SHA-256 306cd27f03c1…'),
        part('Settings', 'no special tokens added'),
        part('IDs', h('code', {}, '403 2001 16819 2456')),
      ),
      h(
        'p',
        { class: 'session-example-later' },
        h('span', { 'aria-hidden': 'true' }, '↓'),
        ' Compare with current results: ',
        h('b', {}, '4 tokens then, 4 tokens now, same IDs'),
      ),
    ),
  );
