/** The coverage grid: where a machine was, what was called on it, how the token stood, and what came back. */
import { MUTATIONS, type Mutation } from '../../../model/call.js';
import { LIFECYCLE_STATES } from '../../../model/machine.js';
import type { CellToken } from '../../engine/cells.js';
import { grouped } from '../escape.js';
import type { CoverageCell } from '../report.js';
import { html, type Markup } from './markup.js';

const ROWS = ['ABSENT', ...LIFECYCLE_STATES] as const;
/** The columns, those that pass the fence first. */
const COLUMNS: Readonly<Record<CellToken, string>> = {
  absent: 'no token',
  first: 'first',
  'newer-sequence': 'newer sequence',
  'newer-epoch': 'newer epoch',
  same: 'same',
  'older-sequence': 'older sequence',
  'older-epoch': 'older epoch',
  negative: 'negative',
  shardless: 'no shard',
};
const TOKENS = Object.keys(COLUMNS) as readonly CellToken[];

/** The grid; the darker a square, the more often it was visited. */
export function coverageGrid(cells: readonly CoverageCell[]): Markup {
  const squares = new Set(cells.map(({ state, call, token }) => `${state} ${call} ${token}`));
  return html`<p class="soft">${squares.size} of ${ROWS.length * MUTATIONS.length * TOKENS.length} squares visited. Rows: where the machine was (ABSENT: an id nobody knows) and the call. Columns: how the token stood to the mark of its shard on that machine. Some squares cannot be reached on a given provider. Point at a number for the outcomes.</p>
<div class="scroll"><table class="grid"><thead><tr><th scope="col">state, call</th>${TOKENS.map((token) => html`<th scope="col">${COLUMNS[token]}</th>`)}</tr></thead>
${ROWS.map(
  (state) =>
    html`<tbody>${MUTATIONS.map((call) => row(state, call, cells))}</tbody>
`,
)}</table></div>`;
}

function row(state: CoverageCell['state'], call: Mutation, cells: readonly CoverageCell[]): Markup {
  const members = cells.filter((cell) => cell.state === state && cell.call === call);
  return html`<tr><th scope="row">${state} ${call}</th>${TOKENS.map((token) => square(members.filter((cell) => cell.token === token)))}</tr>
`;
}

function square(cells: readonly CoverageCell[]): Markup {
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return html`<td class="empty">·</td>`;
  const heat = Math.min(5, 1 + Math.floor(Math.log10(total)));
  const outcomes = cells.map(({ outcome, count }) => `${outcome} ${grouped(count)}`).join(', ');
  return html`<td class="h${heat}" title="${outcomes}">${grouped(total)}</td>`;
}
