/** The lanes of the run: which ran, which did not and why, and what the provider wrote where something failed. */
import type { Report } from '../report.js';
import { html, type Markup } from './markup.js';

/** A line for each lane, with the provider's last words below. */
export function laneCard({ lanes }: Pick<Report, 'lanes'>): Markup {
  return html`<div class="card">${lanes.map(
    ({ lane, skipped, note, log }) =>
      html`<p><b>${lane}</b> ${skipped === null ? (note ?? 'ran') : html`<span class="skipped">not run: ${skipped}</span>`}</p>${
        log.length === 0
          ? null
          : html`<details><summary>The last ${log.length} lines that the provider wrote</summary><div class="log">${log.map((line) => html`<code>${line}</code>`)}</div></details>`
      }`,
  )}</div>`;
}
