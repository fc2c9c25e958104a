import assert from 'node:assert/strict';
import test from 'node:test';
import {
  count,
  duration,
  durationOfSeconds,
  figure,
  growth,
  listed,
  percent,
  plural,
  ratio,
  size,
} from '../../lab_ui/js/util/format.js';

/** Between a number and its unit, and groups of digits. @param {string} text with plain spaces */
const thin = text => text.replaceAll(' ', '\u202f');

test('numbers', () => {
  assert.equal(count(1234567), thin('1 234 567'));
  assert.equal(ratio(2 / 0), '–');
  assert.equal(percent(0.456), thin('46 %'));
  assert.deepEqual([plural(1, 'byte'), plural(0, 'byte')], ['1 byte', '0 bytes']);
  const written = [0.12556, 41.02, 12.5, 998121, 999.7, -2.71, 0].map(figure);
  assert.deepEqual(written, ['0.126', '41.0', '12.5', thin('998 121'), thin('1 000'), '−2.71', '0']);
  assert.deepEqual([-0.181, 0.0123].map(growth), ['−18 %', '+1.2 %'].map(thin));
});

test('times have three digits, and from a minute on two units', () => {
  const written = [0, 12.25, 4361, 79_800_000, 1_200_000_000, 12.24e9].map(duration);
  assert.deepEqual(written, ['0 s', '12.3 ns', '4.36 µs', '79.8 ms', '1.20 s', '12.2 s'].map(thin));
  const long = [59.6, 65, 3600, 3840].map(durationOfSeconds);
  assert.deepEqual(
    long,
    ['1 min 0 s', '1 min 5 s', '1 h 0 min', '1 h 4 min'].map(text => text.replace(/(\d) /g, '$1\u202f')),
  );
});

test('sizes are written in powers of 1000', () => {
  const written = [300, 12_400, 835_554, 999_600, 1.44e6, 82_846_000, 99.96e6, 926_123_000, 2.5e9].map(size);
  const expected = ['300 B', '12 kB', '836 kB', '1.0 MB', '1.4 MB', '82.8 MB', '100 MB', '926 MB', '2.5 GB'];
  assert.deepEqual(written, expected.map(thin));
});

test('what was not measured is a dash, never 0', () => {
  const written = [count, figure, duration, durationOfSeconds, growth, size].flatMap(write => [
    write(null),
    write(undefined),
  ]);
  assert.deepEqual([...written, figure(Number.NaN)], Array(13).fill('–'));
});

test('names in a sentence', () => {
  assert.deepEqual(
    [listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])],
    ['', 'a', 'a and b', 'a, b and c'],
  );
});
