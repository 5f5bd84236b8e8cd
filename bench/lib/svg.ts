/** A plot as an SVG of its own, readable on light and dark pages. */
import { type Plot, rounded } from './plot.js';

const [WIDTH, HEIGHT] = [560, 300];
const MARGIN = { left: 72, right: 20, top: 36, bottom: 48 };
const TICKS = 5;
const INK = '#24292f';

/** One axis: where a value lies between 0 and 1, and which values are marked. */
interface Axis {
  at(value: number): number;
  readonly ticks: readonly number[];
}

/** The plot drawn. Its dashed line shows linear growth through the last point, where the axes are logarithmic. */
export function svg(plot: Plot): string {
  const { points, scale, title } = plot;
  const axisOf = scale === 'log' ? logarithmic : linear;
  const x = axisOf(points.map(([at]) => at));
  const y = axisOf(points.map(([, value]) => value));
  const place = ([at, value]: readonly [number, number]): string =>
    `${across(x.at(at)).toFixed(1)},${up(y.at(value)).toFixed(1)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11" fill="${INK}" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="20" font-size="13" font-weight="bold">${title}</text>`,
    ...x.ticks.map((tick) => mark(across(x.at(tick)), 'x', rounded(tick))),
    ...y.ticks.map((tick) => mark(up(y.at(tick)), 'y', rounded(tick))),
    `<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 10}" text-anchor="end">${plot.x}</text>`,
    `<text x="${MARGIN.left}" y="${MARGIN.top - 4}" text-anchor="end">${plot.y}</text>`,
    ...(scale === 'log' ? [linearGuide(points, place, y.ticks[0] ?? 1)] : []),
    `<polyline points="${points.map(place).join(' ')}" fill="none" stroke="#0969da" stroke-width="2"/>`,
    ...points.map((point) => {
      const [cx, cy] = place(point).split(',');
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="#0969da"/>`;
    }),
    '</svg>',
    '',
  ].join('\n');
}

function across(share: number): number {
  return MARGIN.left + share * (WIDTH - MARGIN.left - MARGIN.right);
}

function up(share: number): number {
  return HEIGHT - MARGIN.bottom - share * (HEIGHT - MARGIN.top - MARGIN.bottom);
}

function mark(at: number, axis: 'x' | 'y', label: string): string {
  const place = at.toFixed(1);
  const [right, bottom] = [WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  const line =
    axis === 'x'
      ? `<line x1="${place}" y1="${MARGIN.top}" x2="${place}" y2="${bottom}" stroke="#d0d7de"/>`
      : `<line x1="${MARGIN.left}" y1="${place}" x2="${right}" y2="${place}" stroke="#d0d7de"/>`;
  const text =
    axis === 'x'
      ? `<text x="${place}" y="${bottom + 16}" text-anchor="middle">${label}</text>`
      : `<text x="${MARGIN.left - 6}" y="${(at + 4).toFixed(1)}" text-anchor="end">${label}</text>`;
  return line + text;
}

/** From the last point down to `lowest`, or as far left as the points go. */
function linearGuide(
  points: Plot['points'],
  place: (point: readonly [number, number]) => string,
  lowest: number,
): string {
  const [lastX, lastY] = points.at(-1) ?? [1, 1];
  const from = Math.max(points[0]?.[0] ?? 1, (lastX * lowest) / lastY);
  const ends = [place([from, (lastY * from) / lastX]), place([lastX, lastY])];
  return `<polyline points="${ends.join(' ')}" fill="none" stroke="#8c959f" stroke-dasharray="4 4"/>`;
}

/** Between the powers of ten around the values, or of two where they lie within one. */
function logarithmic(values: readonly number[]): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const base = most / least > 10 ? 10 : 2;
  const power = (value: number): number => Math.log(value) / Math.log(base);
  const from = Math.floor(power(least) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(power(most) - 1e-9));
  return {
    at: (value) => (power(value) - from) / (to - from),
    ticks: Array.from({ length: to - from + 1 }, (_, step) => base ** (from + step)),
  };
}

/** From zero to a round number above the values. */
function linear(values: readonly number[]): Axis {
  const most = Math.max(...values);
  const unit = 10 ** Math.floor(Math.log10(most / TICKS));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size * TICKS >= most) ?? most;
  const count = Math.ceil(most / step);
  return {
    at: (value) => value / (count * step),
    ticks: Array.from({ length: count + 1 }, (_, tick) => tick * step),
  };
}
