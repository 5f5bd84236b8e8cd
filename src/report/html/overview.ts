/** The top of the page: verdict, what is missing, the areas; and the facts of the run at its end. */
import { areaRows, STATUSES, statusName } from '../area-table.js';
import { plural } from '../call-text.js';
import { grouped } from '../escape.js';
import { knownBehaviors, knownText } from '../known.js';
import { idList, needsOf, requiredUndecided } from '../needs.js';
import type { BaselineReport, Report } from '../report.js';
import { scopeOf } from '../scope.js';
import { html, type Markup } from './markup.js';

/** The verdict with what it is about. */
export function verdictHeader(
  report: Report,
  sections: readonly (readonly [id: string, name: string])[],
): Markup {
  const { verdict, verdicts, reading, provider, target, profiles, interrupted } = report;
  const other = reading === 'literal' ? 'reference' : 'literal';
  const needs = needsOf(report);
  return html`<header><div>
<h1><span class="${verdict}">${verdict}</span> <span>${provider === '' ? target : provider}</span></h1>
<p class="soft">${provider === '' ? null : html`${target} · `}profiles ${profiles.join(', ')}</p>
<p>${verdict} in the ${reading} reading, which decides; ${verdicts[other]} in the ${other} reading.</p>
${interrupted === null ? null : html`<p class="inconclusive"><b>Cut short:</b> ${interrupted}</p>`}
${scopeOf(report).map(([label, text]) => html`<p><b>${label}:</b> ${text}.</p>`)}
${needs.length === 0 ? null : html`<p><b>For CERTIFIED:</b> ${needs.join('; ')}.</p>`}
<nav aria-label="Sections">${sections.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
</div></header>`;
}

/** The behaviors counted by area and status. */
export function areaTable(report: Report): Markup {
  return html`<div class="card scroll"><table class="areas"><thead><tr><th scope="col">area</th>${STATUSES.map((status) => html`<th scope="col">${statusName(status)}</th>`)}</tr></thead>
<tbody>${areaRows(report).map(
    ({ name, counts }) =>
      html`<tr><td>${name}</td>${STATUSES.map((status) => html`<td class="${counts[status] === 0 ? 'zero' : status}">${counts[status]}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}

/** Behaviors of the known-failing and known-flaky lists; nothing where there are none. */
export function knownCard(report: Report): Markup | null {
  const known = knownBehaviors(report);
  if (known.length === 0) return null;
  return html`<div class="card"><h3>Known beforehand</h3>${known.map(
    (behavior) => html`<p><b>${behavior.id}</b>: ${knownText(behavior)}</p>`,
  )}</div>`;
}

/** Required behaviors that were not decided, with the reasons; nothing where all were. */
export function undecidedCard(report: Report): Markup | null {
  const groups = requiredUndecided(report);
  if (groups.length === 0) return null;
  return html`<div class="card"><h3>Required, but not decided</h3>${groups.map(
    ({ reason, behaviors }) => html`<p><b>${idList(behaviors, 100)}</b>: ${reason}</p>`,
  )}</div>`;
}

/** The upstream suite and the saved counterexamples. */
export function otherResults({ baseline, corpus, extension }: Report): Markup {
  return html`<div class="card"><dl class="facts">
<dt>Own properties</dt><dd>${extension.tests}: ${extension.passed} passed, ${extension.failed} failed, ${extension.skipped} skipped</dd>
<dt>Upstream suite</dt><dd>${baselineText(baseline)}</dd>
<dt>Saved counterexamples</dt><dd>${corpus.length === 0 ? 'none' : plural(corpus.length, 'file')}</dd>
${corpus.map(({ file, result, detail }) => html`<dt class="${result === 'FIXED' ? 'passed' : 'failed'}">${result}</dt><dd>${file} <span class="soft">${detail}</span></dd>`)}
${failedBaseline(baseline).map(({ name, output }) => html`<dt class="failed">${name}</dt><dd>${output.split('\n').map((line) => html`<code>${line}</code><br>`)}</dd>`)}
</dl></div>`;
}

function baselineText(baseline: BaselineReport): string {
  if (!baseline.run) return baseline.reason;
  const { tests, passed, failed, skipped } = baseline;
  return `${tests}: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function failedBaseline(baseline: BaselineReport) {
  return baseline.run ? baseline.results.filter(({ status }) => status === 'failed') : [];
}

/** What it takes to do the run again, and what it cost. */
export function runFacts({
  tool,
  seed,
  runs,
  digest,
  timestamp,
  duration_ms,
  stats,
  capabilities,
}: Report): Markup {
  const abilities = [
    capabilities.delete ? 'Delete' : 'no Delete',
    capabilities.since_revision ? 'cursors' : 'no cursors',
  ];
  return html`<div class="card"><dl class="facts">
<dt>Tool</dt><dd>${tool.name} ${tool.version}</dd>
<dt>Seed</dt><dd>${seed}${digest === '' ? null : `, ${grouped(runs)} runs`}</dd>
${digest === '' ? null : html`<dt>Digest</dt><dd><code>${digest}</code></dd>`}
<dt>Begun</dt><dd>${timestamp}</dd>
<dt>Took</dt><dd>${(duration_ms / 1000).toFixed(1)} s: ${plural(stats.sequences, 'sequence')}, ${plural(stats.rpcs, 'call')}</dd>
<dt>Provider has</dt><dd>${abilities.join(', ')}</dd>
</dl></div>`;
}
