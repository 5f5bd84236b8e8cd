/**
 * `report.html`: one file that explains a run to people. It loads nothing, and a content security policy lets only
 * the style and the script that are written here act, so that not even a mistake in escaping gives a provider power.
 */
import { createHash } from 'node:crypto';
import { behaviorList } from './html/behaviors.js';
import { coverageGrid } from './html/coverage-grid.js';
import { laneCard } from './html/lanes.js';
import { lifecycleDrawing } from './html/lifecycle.js';
import { html, jsonForScript, type Markup, trusted } from './html/markup.js';
import {
  areaTable,
  knownCard,
  otherResults,
  runFacts,
  undecidedCard,
  verdictHeader,
} from './html/overview.js';
import { scaleSection } from './html/scale.js';
import { SCRIPT } from './html/script.js';
import { STYLE } from './html/style.js';
import { violationCards } from './html/violations.js';
import type { Report } from './report.js';
import { toldIn } from './told.js';

interface Section {
  readonly id: string;
  readonly name: string;
  readonly body: Markup;
}

/** The page of a report. The report itself is in it as JSON, in the element with the id `report`. */
export function htmlReport(report: Report): string {
  const sections = sectionsOf(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>bfcheck: ${report.verdict} ${report.provider}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
</head>
<body>
${verdictHeader(
  report,
  sections.map(({ id, name }) => [id, name]),
)}
<main>
${sections.map(({ id, name, body }) => html`<section><h2 id="${id}">${name}</h2>${body}</section>`)}
</main>
<script type="application/json" id="report">${jsonForScript(report)}</script>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

/** The sections in their order; a lane that has something to draw adds its own here. */
function sectionsOf(report: Report): readonly Section[] {
  const told = toldIn(report);
  return [
    {
      id: 'areas',
      name: 'Areas',
      body: html`${areaTable(report)}${undecidedCard(report)}${knownCard(report)}`,
    },
    ...(told.length === 0 ? [] : [{ id: 'violations', name: 'Violations', body: violationCards(report) }]),
    { id: 'behaviors', name: 'Behaviors', body: behaviorList(report) },
    {
      id: 'lifecycle',
      name: 'Lifecycle',
      body: html`<div class="card"><p class="soft">How often each edge was entered by an accepted call. Dashed to FAILED: actuator errors, timeouts, restarts.</p>${lifecycleDrawing(report.coverage)}</div>`,
    },
    {
      id: 'coverage',
      name: 'Coverage',
      body: html`<div class="card">${coverageGrid(report.coverage.cells)}</div>`,
    },
    ...(report.scale === null ? [] : [{ id: 'scale', name: 'Scale', body: scaleSection(report.scale) }]),
    ...(report.lanes.length === 0 ? [] : [{ id: 'lanes', name: 'Lanes', body: laneCard(report) }]),
    { id: 'other', name: 'Suites and corpus', body: otherResults(report) },
    { id: 'run', name: 'Run', body: runFacts(report) },
  ];
}

function policy(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
