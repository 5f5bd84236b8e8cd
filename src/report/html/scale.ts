/** The scale lane: a histogram for every RPC, and how a full List grows with the fleet. */
import { plural } from '../call-text.js';
import { grouped } from '../escape.js';
import type { LatencyReport, ScaleReport } from '../report.js';
import { growthPlot } from './growth-plot.js';
import { html, type Markup } from './markup.js';

const BAR = { width: 34, gap: 4, height: 84 };
const FOOT = 34;

/** The whole section. */
export function scaleSection(scale: ScaleReport): Markup {
  const { machines, latencies, growth, exponent, peak_rss_bytes, duration_ms } = scale;
  return html`<div class="card"><p class="soft">${plural(machines, 'machine')}, ${(duration_ms / 1000).toFixed(1)} s. bfcheck itself used ${grouped(Math.round(peak_rss_bytes / 2 ** 20))} MiB at most. Time in which bfcheck's own event loop stood still is taken off. (burst): hundreds sent at the same moment, which no budget speaks of.</p>
<div class="plots">${latencies.map(histogram)}</div></div>
${growth.length < 2 ? null : html`<div class="card"><h3>How a full List grows</h3><p class="soft">Median of several full Lists for each size of the fleet, on logarithmic axes. The dashed line grows as the fleet does.${exponent === null ? null : html` Measured: latency ~ machines<sup>${exponent.toFixed(2)}</sup>.`}</p>${growthPlot(growth)}</div>`}`;
}

/** Bars for buckets that are each twice as wide as the one before; the budget as a line. */
function histogram({ rpc, count, p50, p99, max, budget_ms, buckets }: LatencyReport): Markup {
  const most = Math.max(1, ...buckets.map((bucket) => bucket.count));
  const width = Math.max(180, buckets.length * (BAR.width + BAR.gap) + 12);
  const over = budget_ms !== null && p99 > budget_ms;
  const summary = `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)}${budget_ms === null ? '' : `, budget ${ms(budget_ms)}`}`;
  return html`<figure class="plot"><figcaption><b>${rpc}</b> <span class="soft">${plural(count, 'call')}</span><br><span class="${over ? 'failed' : 'soft'}">${summary}</span></figcaption>
<div class="scroll"><svg role="img" aria-label="Latencies of ${rpc}: ${summary}" width="${width}" height="${BAR.height + FOOT}" viewBox="0 0 ${width} ${BAR.height + FOOT}">
${buckets.map((bucket, index) => {
  const x = 4 + index * (BAR.width + BAR.gap);
  const height = Math.max(1, Math.round((BAR.height - 16) * (bucket.count / most)));
  const late = budget_ms !== null && bucket.from_ms >= budget_ms;
  return html`<rect class="${late ? 'column late' : 'column'}" x="${x}" y="${BAR.height - height}" width="${BAR.width}" height="${height}"/><text class="faint" x="${x + BAR.width / 2}" y="${BAR.height - height - 4}" text-anchor="middle">${short(bucket.count)}</text><text class="faint" x="${x + BAR.width / 2}" y="${BAR.height + 14}" text-anchor="middle">${bound(bucket.to_ms)}</text>`;
})}
<line class="lane" x1="0" y1="${BAR.height}" x2="${width}" y2="${BAR.height}"/><text class="faint" x="4" y="${BAR.height + 28}">calls by latency, up to … ms</text>
</svg></div></figure>
`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : grouped(Math.round(value))} ms`;
}

function bound(value: number): string {
  return value < 1 ? String(value).replace(/^0/, '').slice(0, 4) : String(value);
}

function short(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}
