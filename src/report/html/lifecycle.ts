/** The lifecycle as a drawing, its edges as wide as they were walked. Derived from the model's own edges. */
import { EDGES, isTransitional, LIFECYCLE_STATES, type LifecycleState } from '../../../model/machine.js';
import { grouped } from '../escape.js';
import type { Coverage } from '../report.js';
import { html, type Markup } from './markup.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

const SIZE = { width: 860, height: 270 };
const NODE = { width: 118, height: 34 };
/** Where the states stand; resting ones on the middle line, FAILED below all that lead to it. */
const PLACES: Readonly<Record<LifecycleState, Point>> = {
  SPECULATIVE: { x: 75, y: 90 },
  CREATING: { x: 245, y: 35 },
  DELETING: { x: 245, y: 145 },
  IDLE: { x: 430, y: 90 },
  CONFIGURING: { x: 615, y: 35 },
  DRAINING: { x: 615, y: 145 },
  CONFIGURED: { x: 785, y: 90 },
  FAILED: { x: 430, y: 235 },
};

/** How a failure leads from a moving state to FAILED without crossing a label; corners and bends by hand. */
const FAIL_PATHS: Readonly<Partial<Record<LifecycleState, string>>> = {
  CREATING: 'M186 42C80 130,150 240,367 238',
  DELETING: 'M245 163C245 215,300 228,367 230',
  CONFIGURING: 'M580 53C520 120,530 200,485 216',
  DRAINING: 'M615 163C615 215,560 232,494 234',
};

/** The diagram; `edges` say how often each edge was walked. */
export function lifecycleDrawing({ edges }: Pick<Coverage, 'edges'>): Markup {
  const summary = edges.map(({ call, walked }) => `${call} ${grouped(walked)}`).join(', ');
  return html`<div class="scroll"><svg role="img" aria-label="Lifecycle; edges walked: ${summary}" viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}">
<defs>${['', 'never', 'fail'].map(
    (kind) =>
      html`<marker id="tip${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="arrow ${kind}" d="M0 0 8 4 0 8z"/></marker>`,
  )}</defs>
${LIFECYCLE_STATES.filter(isTransitional).map(failArrow)}
${edges.map(edgeArrows)}
${LIFECYCLE_STATES.map(node)}
</svg></div>`;
}

function node(state: LifecycleState): Markup {
  const { x, y } = PLACES[state];
  const kind = state === 'FAILED' ? 'end' : isTransitional(state) ? '' : 'rest';
  return html`<rect class="node ${kind}" x="${x - NODE.width / 2}" y="${y - NODE.height / 2}" width="${NODE.width}" height="${NODE.height}" rx="8"/><text x="${x}" y="${y + 4}" text-anchor="middle">${state}</text>`;
}

function edgeArrows({ call, walked }: Coverage['edges'][number]): Markup {
  const { from, via, to } = EDGES[call];
  const kind = walked === 0 ? 'never' : '';
  const width = walked === 0 ? 1.5 : 1.5 + Math.min(3.5, Math.log10(walked));
  const arrow = (start: LifecycleState, end: LifecycleState): Markup =>
    html`<path class="edge ${kind}" marker-end="url(#tip${kind})" stroke-width="${width.toFixed(1)}" d="${between(start, end)}"/>`;
  const { x, y } = PLACES[via];
  const side = PLACES[from].x < x ? -1 : 1;
  const above = y < PLACES[from].y;
  return html`${arrow(from, via)}${arrow(via, to)}<text x="${x + side * (NODE.width / 2 + 8)}" y="${above ? y - 8 : y + 18}" text-anchor="${side < 0 ? 'end' : 'start'}">${call} <tspan class="faint">${grouped(walked)}</tspan></text>`;
}

function failArrow(state: LifecycleState): Markup {
  return html`<path class="edge fail" marker-end="url(#tipfail)" d="${FAIL_PATHS[state] ?? ''}"/>`;
}

/** A straight line from border to border. */
function between(start: LifecycleState, end: LifecycleState): string {
  const a = PLACES[start];
  const b = PLACES[end];
  const from = border(a, b);
  const to = border(b, a);
  return `M${from.x} ${from.y}L${to.x} ${to.y}`;
}

/** Where the line from the middle of a node toward `other` leaves it. */
function border(center: Point, other: Point): Point {
  const dx = other.x - center.x;
  const dy = other.y - center.y;
  const scale = Math.min(
    (NODE.width / 2 + 3) / Math.abs(dx || 1e-9),
    (NODE.height / 2 + 3) / Math.abs(dy || 1e-9),
  );
  return { x: Math.round(center.x + dx * scale), y: Math.round(center.y + dy * scale) };
}
