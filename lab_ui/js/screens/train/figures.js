/**
 * The charts of a training, in the form of `ui/chart_figure.js`: compression of the held-out text, count of the merged
 * pair, loss per iteration. Knows nothing of the page.
 */
import { isLive } from '../../app/training_states.js';
import { csvOf, escaped } from '../../ui/chart_figure.js';
import { shapeOf } from '../../ui/tokens/shapes.js';
import { count, percent, plural, ratio, THIN_SPACE } from '../../util/format.js';
import { placeLabels } from './label_places.js';
import { isByScore } from './train_words.js';

const MARGIN = { l: 48, r: 14, t: 24, b: 34 };
const LINE = { color: 'var(--accent)', width: 1.8 };
const END = { color: 'var(--accent)', size: 9, line: { color: 'var(--paper)', width: 2 } };
const HOLLOW_END = {
  color: 'var(--accent)',
  symbol: 'circle-open',
  size: 9,
  line: { color: 'var(--accent)', width: 1.5 },
};
const DOT = { color: 'var(--accent)', size: 3.5, opacity: 0.7 };
const LABEL_ROOM = 24; // px above a line, for the value at its end
const TEXT_SIZE = 12; // px, as the charts have it
const STEPS = [1, 2, 5];
const MOST_TICKS = 7;
const FLATTERED = 0.05; // share of unknown tokens above which compression looks better than it is
const FLATTERED_WORDS = '; hollow, since much text is unknown to it';
const APART = 12; // px between two boxes along a line that labels keep away from

/**
 * @typedef {import('../../ui/chart_figure.js').ChartFigure} ChartFigure
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/trainings.js').TrainingCurve} TrainingCurve
 * @typedef {{width: number, height: number}} Size px
 * @typedef {{id: string, letter: string, name: string, note: string}} Reference a tokenizer in use, with its look;
 *   `note`: what it does to the text, if it does not keep it
 * @typedef {{title: string, type: 'log'|'linear', range: [number, number], ticks?: number[]}} Scale `range`: as Plotly
 *   has it, powers of ten of a logarithmic one
 */

/** A range of powers of ten with some room. @param {number} least @param {number} most @returns {[number, number]} */
function logRange(least, most) {
  const [from, to] = [Math.log10(least), Math.log10(Math.max(most, least))];
  const room = Math.max(0.04 * (to - from), 0.06);
  return [from - room, to + room];
}

/** Powers of ten, or 1, 2, 5, 10, 20 if there are few. @param {[number, number]} range @returns {number[]} */
export function logTicks([from, to]) {
  /** @param {number[]} steps */
  const ticks = steps => {
    const found = [];
    for (let power = Math.floor(from); power <= to; power++)
      for (const step of steps) {
        const value = step * 10 ** power;
        if (Math.log10(value) >= from && Math.log10(value) <= to) found.push(value);
      }
    return found;
  };
  const [few, many] = [ticks([1]), ticks(STEPS)];
  return few.length < 3 && many.length <= 2 * MOST_TICKS ? many : few;
}

/** "10k" where "10 000" has no room @param {number} n */
function tickWords(n) {
  if (n >= 1e6) return `${count(n / 1e6)}M`;
  if (n >= 1e4) return `${count(n / 1e3)}k`;
  return n < 1 ? String(n) : count(n);
}

/** @param {Scale} scale */
function axisOf({ type, range, ticks }) {
  const tickvals = ticks ?? (type === 'log' ? logTicks(range) : undefined);
  return {
    type,
    range,
    gridcolor: 'var(--line)',
    linecolor: 'var(--line-2)',
    zeroline: false,
    tickfont: { color: 'var(--ink-2)' },
    ...(tickvals
      ? { tickvals, ticktext: tickvals.map(tickWords), tickangle: 0 }
      : { nticks: MOST_TICKS, tickformat: ',~r' }),
  };
}

/** @param {Scale} x @param {Scale} y @param {Object<string, any>} more */
const layoutOf = (x, y, more) => ({
  xaxis: axisOf(x),
  yaxis: axisOf(y),
  font: { family: 'var(--sans)', color: 'var(--ink)' },
  margin: MARGIN,
  paper_bgcolor: 'rgba(0,0,0,0)',
  plot_bgcolor: 'rgba(0,0,0,0)',
  separators: `.${THIN_SPACE}`,
  hovermode: 'closest',
  hoverlabel: {
    bgcolor: 'var(--panel)',
    bordercolor: 'var(--line-2)',
    font: { family: 'var(--sans)', color: 'var(--ink)' },
    align: 'left',
  },
  showlegend: false,
  dragmode: 'zoom',
  ...more,
});

/** Places of a value in the drawing. @param {Scale} scale @param {number} length px @param {boolean} isUp */
function placer({ type, range: [from, to] }, length, isUp) {
  return (/** @type {number} */ value) => {
    const share = ((type === 'log' ? Math.log10(value) : value) - from) / (to - from);
    return (isUp ? 1 - share : share) * length;
  };
}

/**
 * The line of a training and its last point.
 * @param {string} name @param {number[]} x @param {number[]} y @param {string[]} words
 * @param {Object<string, any>} [end] look of the last point
 */
const curveTraces = (name, x, y, words, end = END) => [
  { type: 'scatter', mode: 'lines', name, x, y, line: LINE, hoverinfo: 'text', hovertext: words },
  {
    type: 'scatter',
    mode: 'markers',
    name,
    x: x.slice(-1),
    y: y.slice(-1),
    marker: end,
    hoverinfo: 'text',
    hovertext: words.slice(-1),
  },
];

/**
 * A point for each step: WordPiece merges by score, so that the counts of its pairs go up and down.
 * @param {string} name @param {number[]} x @param {number[]} y @param {string[]} words
 */
const dotTraces = (name, x, y, words) => [
  { type: 'scatter', mode: 'markers', name, x, y, marker: DOT, hoverinfo: 'text', hovertext: words },
];

/** @param {Scale} scale @param {number} value @returns {number} as an annotation has it */
const along = ({ type }, value) => (type === 'log' ? Math.log10(value) : value);

/** @param {Scale} x @param {Scale} y @param {number} at @param {number} height @param {Object<string, any>} look */
const note = (x, y, at, height, look) => ({
  x: along(x, at),
  y: along(y, height),
  xref: 'x',
  yref: 'y',
  showarrow: false,
  borderpad: 0,
  ...look,
});

/**
 * Bytes per token of the held-out text against the size of the vocabulary; tokenizers in use are marked.
 * @param {Training} training @param {TrainingCurve} curve @param {Reference[]} chosen @param {Size} box of the drawing
 * @returns {ChartFigure|{reason: string}}
 */
export function compressionFigure(training, curve, chosen, box) {
  const { points } = curve;
  const title = 'Compression of the held-out text';
  if (!training.held_out && !points.length && training.body.held_out === null)
    return { reason: 'No text is held out, so compression is not measured.' };
  if (!points.length) return { reason: unmeasuredWords(training) };
  const target = training.options.vocab_size;
  const marks = marksOf(curve, chosen);
  const sizes = [...points.map(point => point.vocab_size), ...marks.map(({ size }) => size)];
  if (typeof target === 'number' && target > 0) sizes.push(target);
  const ratios = [...points.map(point => point.bytes_per_token), ...marks.map(mark => mark.bytes)];
  /** @type {Scale} */
  const x = { title: 'tokens', type: 'log', range: logRange(Math.min(...sizes), Math.max(...sizes)) };
  const least = Math.min(...ratios);
  const most = Math.max(...ratios);
  /** @type {Scale} */
  const y = { title: 'bytes per token', type: 'linear', range: roomAround(Math.min(least, 1), most) };
  const last = points[points.length - 1];
  const isFlattered = (training.held_out?.unknown_rate ?? 0) > FLATTERED;
  const hasTarget = typeof target === 'number' && last.vocab_size < target * 0.995;
  const labels = labelsOf(training, points, marks, x, y, box, hasTarget ? target : null);
  const held = training.held_out;
  const name = 'This training';
  const unknown = unknownWords(held?.unknown_rate ?? null);
  return {
    name: 'training-compression',
    title,
    subtitle: [
      'bytes per token against vocabulary size',
      held ? `${held.title}, ${plural(held.bytes, 'byte')}` : '',
      isFlattered || marks.some(mark => mark.isFlattered) ? 'hollow: more than 5 % of its tokens are unknown' : '',
    ]
      .filter(Boolean)
      .join('; '),
    summary: [
      `${name}: ${ratio(last.bytes_per_token)} bytes per token with ${plural(last.vocab_size, 'token')}` +
        `${isFlattered ? FLATTERED_WORDS : ''}.`,
      ...marks.map(
        mark =>
          `${mark.name}: ${ratio(mark.bytes)} with ${count(mark.size)}${mark.isFlattered ? FLATTERED_WORDS : ''}.`,
      ),
    ].join(' '),
    keys: [],
    figure: {
      data: [
        ...curveTraces(
          name,
          points.map(point => point.vocab_size),
          points.map(point => point.bytes_per_token),
          points.map(
            point =>
              `${plural(point.vocab_size, 'token')}<br>${ratio(point.bytes_per_token)} bytes per token<br>` +
              [`${plural(point.held_out_tokens, 'token')} of held-out text`, point === last ? unknown : '']
                .filter(Boolean)
                .join('<br>'),
          ),
          isFlattered ? HOLLOW_END : END,
        ),
        ...marks.map(markTrace),
      ],
      layout: layoutOf(x, y, {
        annotations: [...labels, ...(hasTarget ? [targetNote(x, target)] : [])],
        shapes: hasTarget ? [targetLine(target)] : [],
      }),
    },
    ...tableOf(
      ['tokenizer', 'vocabulary size', 'bytes per token'],
      [
        ...points.map(point => [name, point.vocab_size, point.bytes_per_token]),
        ...marks.map(mark => [mark.name, mark.size, mark.bytes]),
      ],
    ),
  };
}

/** Why there is no point. @param {Training} training */
function unmeasuredWords(training) {
  const { held_out: heldOut, body, state } = training;
  if (['wordlevel', 'character'].includes(training.options.algorithm) && isLive(training))
    return 'Measured when the training ends.';
  if (isLive(training)) return 'Not measured yet: no step is made.';
  if (body.held_out !== null && !heldOut?.bytes && state === 'done')
    return 'Not measured: the text can be split at too few places to hold out a part.';
  return 'Not measured in this training.';
}

/** @param {number} least @param {number} most @returns {[number, number]} */
function roomAround(least, most) {
  const room = Math.max(0.08 * (most - least), 0.1);
  return [least - room / 2, most + 2 * room]; // the names of marks have room above them
}

/**
 * @typedef {{name: string, letter: string, note: string, size: number, bytes: number, isFlattered: boolean}}
 *   ReferenceMark `isFlattered`: much of the text is unknown to it
 * @param {TrainingCurve} curve @param {Reference[]} chosen @returns {ReferenceMark[]}
 */
function marksOf({ references }, chosen) {
  return chosen.flatMap(({ id, letter, name, note }) => {
    const found = references.find(({ tokenizer }) => tokenizer === id);
    if (!found?.vocab_size || !found.bytes_per_token) return [];
    const { vocab_size: size, bytes_per_token: bytes, unknown_rate: unknown } = found;
    const notes = [note, unknownWords(unknown)].filter(Boolean).join('<br>');
    return [{ name, letter, note: notes, size, bytes, isFlattered: (unknown ?? 0) > FLATTERED }];
  });
}

/** "12 % of its tokens are unknown" @param {number|null} rate @returns {string} empty: none */
function unknownWords(rate) {
  if (!rate) return '';
  const words = `${percent(rate, rate < 0.01 ? 2 : 0)} of its tokens are unknown`;
  return rate > FLATTERED ? `${words}: compression looks better than it is` : words;
}

/** @param {ReferenceMark} mark */
function markTrace({ name, letter, note, size, bytes, isFlattered }) {
  const shape = shapeOf(Math.max(0, letter.charCodeAt(0) - 65));
  const color = hueOf(letter);
  return {
    type: 'scatter',
    mode: 'markers',
    name: escaped(name),
    x: [size],
    y: [bytes],
    marker: { color, symbol: isFlattered ? `${shape}-open` : shape, size: 9, line: { color, width: 1.5 } },
    hoverinfo: 'text',
    hovertext: [
      [escaped(name), plural(size, 'token'), `${ratio(bytes)} bytes per token`, ...note.split('<br>').map(escaped)]
        .filter(Boolean)
        .join('<br>'),
    ],
  };
}

/** @param {string} letter */
const hueOf = letter => (/^[A-H]$/.test(letter) ? `var(--${letter.toLowerCase()})` : 'var(--ink-2)');

/**
 * The names of the marks and of the curve's end.
 * @param {Training} training @param {TrainingCurve['points']} points @param {ReferenceMark[]} marks @param {Scale} x
 * @param {Scale} y @param {Size} box @param {number|null} target whose line labels keep away from
 */
function labelsOf(training, points, marks, x, y, box, target) {
  const { area, toX, toY } = drawingOf(x, y, box);
  const last = points[points.length - 1];
  const end = { x: toX(last.vocab_size), y: toY(last.bytes_per_token), ...endWords(training, last.bytes_per_token) };
  const curve = boxesAlong(points.map(point => [toX(point.vocab_size), toY(point.bytes_per_token)]));
  const drawn = marks.map(mark => ({ x: toX(mark.size), y: toY(mark.bytes), name: mark.name, short: mark.letter }));
  const line = target === null ? [] : [{ left: toX(target) - 3, right: toX(target) + 3, top: 0, bottom: area.bottom }];
  const places = placeLabels([end, ...drawn], area, [...curve, ...line], TEXT_SIZE);
  return places.map(({ text, dx, dy, anchor }, at) => {
    const mark = at === 0 ? null : marks[at - 1];
    return note(x, y, mark ? mark.size : last.vocab_size, mark ? mark.bytes : last.bytes_per_token, {
      text: `<b>${escaped(text)}</b>`,
      xanchor: anchor,
      yanchor: 'middle',
      xshift: dx,
      yshift: -dy,
      font: { color: mark ? hueOf(mark.letter) : 'var(--accent)' },
    });
  });
}

/** @param {Scale} x @param {Scale} y @param {Size} box */
function drawingOf(x, y, box) {
  const area = {
    left: 0,
    top: -MARGIN.t / 3,
    right: box.width - MARGIN.l - MARGIN.r,
    bottom: box.height - MARGIN.t - MARGIN.b,
  };
  return { area, toX: placer(x, area.right, false), toY: placer(y, area.bottom, true) };
}

/** Small boxes along a line, which labels keep away from. @param {number[][]} points px */
const boxesAlong = points =>
  points.slice(1).flatMap(([x, y], at) => {
    const [fromX, fromY] = points[at];
    const parts = Math.max(1, Math.ceil(Math.hypot(x - fromX, y - fromY) / APART));
    return Array.from({ length: parts }, (_, n) => {
      const share = n / parts;
      const [left, top] = [fromX + share * (x - fromX) - 3, fromY + share * (y - fromY) - 3];
      return { left, top, right: left + 6, bottom: top + 6 };
    });
  });

/**
 * The value at the end of a line.
 * @param {Scale} x @param {Scale} y @param {Size} box @param {number[][]} points @param {string} words
 * @param {number|null} [limit] whose line and words it keeps away from
 */
function endLabel(x, y, box, points, words, limit = null) {
  const { area, toX, toY } = drawingOf(x, y, box);
  const drawn = points.map(([across, up]) => [toX(across), toY(up)]);
  const last = drawn[drawn.length - 1];
  const [{ text, dx, dy, anchor }] = placeLabels(
    [{ x: last[0], y: last[1], name: words, short: words }],
    area,
    [
      ...boxesAlong(drawn),
      ...(limit === null ? [] : [{ ...area, top: toY(limit) - 1.5 * TEXT_SIZE, bottom: toY(limit) }]),
    ],
    TEXT_SIZE,
  );
  const [across, up] = points[points.length - 1];
  return note(x, y, across, up, {
    text: `<b>${escaped(text)}</b>`,
    xanchor: anchor,
    yanchor: 'middle',
    xshift: dx,
    yshift: -dy,
    font: { color: 'var(--accent)' },
  });
}

/** @param {Training} training @param {number} bytes */
const endWords = (training, bytes) => ({
  name: `${isLive(training) ? 'This training' : 'This tokenizer'} ${ratio(bytes)}`,
  short: ratio(bytes),
});

/** Where words at a value stay inside of the drawing. @param {Scale} x @param {number} value */
function sideOf(x, value) {
  const at = placer(x, 1, false)(value);
  if (at > 0.85) return 'right';
  return at < 0.15 ? 'left' : 'center';
}

/** @param {Scale} x @param {number} target */
const targetNote = (x, target) => ({
  x: along(x, target),
  y: 1,
  xref: 'x',
  yref: 'paper',
  yanchor: 'bottom',
  xanchor: sideOf(x, target),
  showarrow: false,
  text: `target ${count(target)}`,
  font: { color: 'var(--ink-2)' },
});

/** @param {number} target */
const targetLine = target => ({
  type: 'line',
  x0: target,
  x1: target,
  xref: 'x',
  y0: 0,
  y1: 1,
  yref: 'paper',
  line: { color: 'var(--ink-3)', width: 1, dash: '4px,4px' },
});

/**
 * How often what became a token occurred, against its rank.
 * @param {Training} training @param {TrainingCurve} curve @param {Size} box of the drawing
 * @returns {ChartFigure|{reason: string}}
 */
export function countFigure(training, { counts }, box) {
  const { options, total, state } = training;
  const isMerge = ['bpe', 'wordpiece'].includes(options.algorithm);
  const hasScore = isByScore(options);
  const what = isMerge ? 'merged pair' : 'token';
  const drawn = counts.filter(point => point.count > 0);
  if (!drawn.length) return { reason: isLive(training) ? 'Nothing is counted yet.' : 'Nothing was counted.' };
  const last = drawn[drawn.length - 1];
  const most = Math.max(...drawn.map(point => point.count));
  const least = Math.min(...drawn.map(point => point.count));
  const limit = isMerge && !hasScore && options.min_frequency > 1 ? options.min_frequency : null;
  const isLow = limit !== null && least < 100 * limit;
  const ranks = drawn.map(point => point.rank + 1);
  const end = isLive(training) ? Math.max(total ?? 1, last.rank + 1) : last.rank + 1;
  /** @type {Scale} */
  const x = { title: 'rank', type: 'log', range: logRange(1, Math.max(end, 2)) };
  /** @type {Scale} */
  const y = { title: 'count', type: 'log', range: logRange(isLow ? Math.min(limit, least) : least, Math.max(most, 2)) };
  const words = drawn.map(point => `rank ${count(point.rank + 1)}<br>${plural(point.count, 'occurrence')}`);
  return {
    name: 'training-counts',
    title: isMerge ? 'How often the merged pair occurs' : 'How often each token occurs',
    subtitle:
      `count of the ${what} against ${isMerge ? 'rank of the merge' : 'its rank'}` +
      `${hasScore ? '; the highest score is merged first' : ''}`,
    summary:
      `The first ${what} occurs ${plural(drawn[0].count, 'time')}, ` +
      `number ${count(last.rank + 1)} ${plural(last.count, 'time')}.`,
    keys: [],
    figure: {
      data: (hasScore ? dotTraces : curveTraces)(
        'count',
        ranks,
        drawn.map(point => point.count),
        words,
      ),
      layout: layoutOf(x, y, {
        annotations: hasScore
          ? []
          : [
              endLabel(
                x,
                y,
                box,
                drawn.map(point => [point.rank + 1, point.count]),
                `${count(last.count)}${state === 'running' ? ' now' : ''}`,
                isLow ? limit : null,
              ),
              ...(isLow ? [limitNote(y, limit)] : []),
            ],
        shapes: isLow ? [limitLine(limit)] : [],
      }),
    },
    ...tableOf(
      ['rank', 'count'],
      drawn.map(point => [point.rank + 1, point.count]),
    ),
  };
}

/** @param {Scale} y @param {number} limit */
const limitNote = (y, limit) => ({
  x: 0,
  y: along(y, limit),
  xref: 'paper',
  yref: 'y',
  xanchor: 'left',
  yanchor: 'bottom',
  xshift: 4,
  showarrow: false,
  text: `Minimum count ${count(limit)}: training ends here`,
  font: { color: 'var(--bad)' },
});

/** @param {number} limit */
const limitLine = limit => ({
  type: 'line',
  x0: 0,
  x1: 1,
  xref: 'paper',
  y0: limit,
  y1: limit,
  yref: 'y',
  line: { color: 'var(--bad)', width: 1.3, dash: '5px,4px' },
});

/**
 * The loss of a Unigram training per iteration, with the tokens that were left.
 * @param {Training} training @param {TrainingCurve} curve @param {Size} box of the drawing
 * @returns {ChartFigure|{reason: string}}
 */
export function lossFigure(training, { losses }, box) {
  const drawn = losses.filter(point => Number.isFinite(point.loss));
  if (!drawn.length)
    return {
      reason: isLive(training) ? 'Not measured yet: the first iteration has not ended.' : 'No iteration has ended.',
    };
  const last = drawn[drawn.length - 1];
  const values = drawn.map(point => point.loss);
  const numbers = drawn.map(point => point.iteration + 1);
  /** @type {Scale} */
  const x = { title: 'iteration', type: 'linear', range: [0.5, Math.max(...numbers, 2) + 0.5] };
  if (x.range[1] < MOST_TICKS) x.ticks = Array.from({ length: Math.floor(x.range[1]) }, (_, n) => n + 1); // no halves
  /** @type {Scale} */
  const y = { title: 'loss', type: 'linear', range: lossRange(values, box) };
  return {
    name: 'training-loss',
    title: 'Loss per iteration',
    subtitle: 'negative log-likelihood of the corpus against iteration, natural logarithm',
    summary:
      `The loss is ${lossWords(values[0])} after the first iteration and ${lossWords(last.loss)} after the last, ` +
      `with ${plural(last.tokens, 'token')}.`,
    keys: [],
    figure: {
      data: curveTraces(
        'loss',
        numbers,
        values,
        drawn.map(
          point =>
            `iteration ${count(point.iteration + 1)}<br>loss ${lossWords(point.loss)}<br>` +
            plural(point.tokens, 'token'),
        ),
      ),
      layout: layoutOf(x, y, {
        annotations: [
          endLabel(
            x,
            y,
            box,
            drawn.map(point => [point.iteration + 1, point.loss]),
            lossWords(last.loss),
          ),
        ],
      }),
    },
    ...tableOf(
      ['iteration', 'loss', 'tokens'],
      drawn.map(point => [point.iteration + 1, point.loss, point.tokens]),
    ),
  };
}

/** @param {number[]} values @param {Size} box of the drawing @returns {[number, number]} */
function lossRange(values, box) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(0.12 * (most - least), Math.abs(most) * 0.01, 1e-6);
  const height = Math.max(1, box.height - MARGIN.t - MARGIN.b);
  const share = Math.min(0.5, LABEL_ROOM / height); // of the height, above the highest value
  return [least - room, most + Math.max(room, (share / (1 - share)) * (most - least + room))];
}

/** "12.31", "1 234 567" @param {number} loss */
export const lossWords = loss => (Math.abs(loss) >= 1000 ? count(Math.round(loss)) : ratio(loss, 3));

/** @param {string[]} head @param {import('../../ui/chart_figure.js').Cell[][]} rows */
const tableOf = (head, rows) => ({ table: { head, rows }, csv: csvOf({ head, rows }) });
