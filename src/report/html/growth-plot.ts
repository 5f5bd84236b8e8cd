/** The latency of a full List over the size of the fleet, on logarithmic axes. */
import { grouped } from '../escape.js';
import type { GrowthReport } from '../report.js';
import { html, type Markup } from './markup.js';

const SIZE = { width: 560, height: 260 };
const EDGE = { left: 64, right: 24, top: 16, bottom: 42 };

/** The plot of two sizes or more. */
export function growthPlot(points: readonly GrowthReport[]): Markup {
  const ordered = points.toSorted((a, b) => a.machines - b.machines);
  const [smallest] = ordered;
  const largest = ordered.at(-1);
  if (smallest === undefined || largest === undefined) return html``;
  const linear = smallest.ms * (largest.machines / smallest.machines);
  const times = [...ordered.flatMap(({ ms, samples }) => [ms, ...samples]), linear];
  const x = axis(smallest.machines, largest.machines, EDGE.left, SIZE.width - EDGE.right);
  const y = axis(Math.min(...times), Math.max(...times), SIZE.height - EDGE.bottom, EDGE.top);
  const path = ordered.map(({ machines, ms }, index) => `${index === 0 ? 'M' : 'L'}${x(machines)} ${y(ms)}`);
  const summary = ordered.map(({ machines, ms }) => `${grouped(machines)} machines ${ms.toFixed(1)} ms`);
  return html`<div class="scroll"><svg role="img" aria-label="Latency of a full List: ${summary.join(', ')}" width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}">
<line class="lane" x1="${EDGE.left}" y1="${SIZE.height - EDGE.bottom}" x2="${SIZE.width - EDGE.right}" y2="${SIZE.height - EDGE.bottom}"/><line class="lane" x1="${EDGE.left}" y1="${EDGE.top}" x2="${EDGE.left}" y2="${SIZE.height - EDGE.bottom}"/>
<path class="edge never" d="M${x(smallest.machines)} ${y(smallest.ms)}L${x(largest.machines)} ${y(linear)}"/>
${ordered.flatMap(({ machines, samples }) => samples.map((sample) => html`<circle class="sample" cx="${x(machines)}" cy="${y(sample)}" r="2.5"/>`))}
<path class="edge" stroke-width="2" d="${path.join('')}"/>
${ordered.map(
  ({ machines, ms, bytes }) =>
    html`<circle class="dot" cx="${x(machines)}" cy="${y(ms)}" r="4"><title>${grouped(machines)} machines: ${ms.toFixed(1)} ms, ${grouped(bytes)} bytes</title></circle><text class="faint" x="${x(machines)}" y="${SIZE.height - EDGE.bottom + 16}" text-anchor="middle">${grouped(machines)}</text>`,
)}
${ticks(times).map((tick) => html`<text class="faint" x="${EDGE.left - 8}" y="${y(tick) + 4}" text-anchor="end">${tick < 1 ? tick.toFixed(2) : grouped(Math.round(tick))} ms</text>`)}
<text class="faint" x="${(EDGE.left + SIZE.width - EDGE.right) / 2}" y="${SIZE.height - 6}" text-anchor="middle">machines</text>
</svg></div>`;
}

/** A logarithmic axis from `least` to `most`, drawn between two places. */
function axis(least: number, most: number, from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.max(least, 1e-6)), Math.log(Math.max(most, 1e-6))];
  const span = high - low || 1;
  return (value) => Math.round(from + ((Math.log(Math.max(value, 1e-6)) - low) / span) * (to - from));
}

/** The least, the greatest, and one between. */
function ticks(values: readonly number[]): number[] {
  const [low, high] = [Math.max(1e-6, Math.min(...values)), Math.max(1e-6, ...values)];
  return high / low < 1.5 ? [high] : [low, Math.sqrt(low * high), high];
}
