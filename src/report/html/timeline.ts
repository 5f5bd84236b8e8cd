/**
 * A counterexample over time: a lane for every branch or shard, a bar for every call, a mark where a machine came to
 * rest. Distances are not to scale: instants are set side by side in their order, so that short calls stay readable.
 */
import { callText, replyText } from '../call-text.js';
import type { Counterexample, CounterexampleCall } from '../counterexample.js';
import { html, type Markup } from './markup.js';

const LANE_HEIGHT = 40;
const BAR_HEIGHT = 26;
const TOP = 24;
const LEFT = 92;
/** Least width of the stretch between two instants, and of a bar, so that its words fit. */
const STRETCH_WIDTH = 16;
const BAR_WIDTH = 116;
const RESTING: ReadonlySet<string> = new Set(['SPECULATIVE', 'IDLE', 'CONFIGURED', 'FAILED']);

/** The drawing, with a line below that tells the call under the pointer or the keyboard. */
export function timeline({ id, calls }: Pick<Counterexample, 'id' | 'calls'>): Markup {
  const lanes = lanesOf(calls);
  const axis = axisOf(calls);
  const width = LEFT + axis.width + 24;
  const height = TOP + lanes.length * LANE_HEIGHT + 8;
  const wrong = calls.find((call) => call.wrong);
  return html`<div class="timeline"><div class="scroll"><svg role="group" aria-label="Timeline of ${id}: arrow keys walk the calls" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${lanes.map((lane, index) => laneLine(lane, index, width))}
${settleMarks(calls).map((mark) => markLine(mark, axis, height))}
${calls.filter(({ after_kill }) => after_kill).map(({ invoked_ms }) => killLine(invoked_ms, axis, height))}
${calls.map((call) => bar(call, lanes.indexOf(laneOf(call)), axis, call === (wrong ?? calls[0])))}
</svg></div><p class="detail mono" aria-live="polite">${wrong ? describe(wrong) : 'Point at a call, or walk with the arrow keys.'}</p></div>`;
}

/** Sequential lanes as they come, then the branches in their order. */
function lanesOf(calls: readonly CounterexampleCall[]): string[] {
  return [...new Set(calls.toSorted((a, b) => a.branch - b.branch).map(laneOf))];
}

/** Branches where there are any; otherwise shards, with the reads apart. */
function laneOf({ branch, call, token }: CounterexampleCall): string {
  if (branch >= 0) return `branch ${String.fromCharCode('a'.charCodeAt(0) + (branch % 26))}`;
  if (call === 'Get' || call === 'List') return 'reads';
  if (token === null) return 'no token';
  return token.shard === null ? 'no shard' : `shard ${token.shard}`;
}

interface Axis {
  readonly width: number;
  x(ms: number): number;
}

function axisOf(calls: readonly CounterexampleCall[]): Axis {
  const instants = [...new Set(calls.flatMap((call) => [call.invoked_ms, endOf(call)]))].sort(
    (a, b) => a - b,
  );
  const widths = instants.slice(1).map(() => STRETCH_WIDTH);
  const spans = calls.map((call) => ({
    from: instants.indexOf(call.invoked_ms),
    to: instants.indexOf(endOf(call)),
  }));
  // Short spans first: what they widen serves the long ones around them, too.
  for (const { from, to } of spans.sort((a, b) => a.to - a.from - (b.to - b.from))) {
    const missing = BAR_WIDTH - widths.slice(from, to).reduce((sum, width) => sum + width, 0);
    if (missing <= 0) continue;
    for (let i = from; i < to; i++) widths[i] = (widths[i] ?? 0) + missing / (to - from);
  }
  let x = LEFT;
  const places = new Map<number, number>();
  instants.forEach((instant, index) => {
    x += widths[index - 1] ?? 0;
    places.set(instant, Math.round(x));
  });
  return { width: Math.round(x) - LEFT, x: (ms) => places.get(ms) ?? LEFT };
}

/** A call takes some time, however coarse the clock. */
function endOf({ invoked_ms, returned_ms }: CounterexampleCall): number {
  return Math.max(returned_ms, invoked_ms + 0.001);
}

function laneLine(name: string, index: number, width: number): Markup {
  const y = TOP + index * LANE_HEIGHT + LANE_HEIGHT / 2;
  return html`<line class="lane" x1="${LEFT - 8}" y1="${y}" x2="${width}" y2="${y}"/><text class="faint" x="4" y="${y + 4}">${name}</text>`;
}

function bar(call: CounterexampleCall, lane: number, axis: Axis, first: boolean): Markup {
  const x = axis.x(call.invoked_ms);
  const width = Math.max(8, axis.x(endOf(call)) - x);
  const y = TOP + lane * LANE_HEIGHT + (LANE_HEIGHT - BAR_HEIGHT) / 2;
  const kind = [
    'call',
    ...(call.wrong ? ['wrong'] : []),
    ...(call.reply.determinate ? [] : ['lost']),
    ...(call.call === 'Get' || call.call === 'List' ? ['read'] : []),
  ].join(' ');
  return html`<g class="${kind}" role="img" tabindex="${first ? 0 : -1}" aria-label="${describe(call)}"><rect class="bar" x="${x}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="5"/><text x="${x + width / 2}" y="${y + 17}" text-anchor="middle">${barText(call)}</text></g>
`;
}

function barText({ call, machine, reply }: CounterexampleCall): string {
  if (call === 'Get') return reply.machine?.state ?? shortCode(reply.code);
  return machine === null ? call : `${call} ${machine}`;
}

function shortCode(code: string): string {
  return code.length > 14 ? `${code.slice(0, 13)}…` : code;
}

/** The call in words, as the line below the drawing shows it. */
function describe(call: CounterexampleCall): string {
  const words = callText(call).replace(/ {2,}/g, '  ');
  const when = `${call.invoked_ms.toFixed(1)} to ${call.returned_ms.toFixed(1)} ms`;
  const rule = call.wrong
    ? 'nothing explains this reply'
    : call.rule === null
      ? ''
      : `by the rule ${call.rule}`;
  return [
    words,
    `-> ${replyText(call.reply)}`,
    `(${[when, rule].filter((part) => part !== '').join('; ')})`,
  ].join(' ');
}

interface Mark {
  readonly ms: number;
  readonly text: string;
}

/** Where a read first showed a machine at rest after a call had moved it. */
function settleMarks(calls: readonly CounterexampleCall[]): Mark[] {
  const moving = new Set<string>();
  const marks: Mark[] = [];
  for (const call of calls) {
    const { machine, reply } = call;
    if (machine === null) continue;
    if (call.call !== 'Get') moving.add(machine);
    else if (reply.machine && RESTING.has(reply.machine.state) && moving.delete(machine) && !call.wrong) {
      marks.push({ ms: endOf(call), text: `${machine} settled` });
    }
  }
  return marks;
}

function markLine({ ms, text }: Mark, axis: Axis, height: number): Markup {
  const x = axis.x(ms);
  return html`<line class="mark" x1="${x}" y1="16" x2="${x}" y2="${height}"/><text class="mark-text" x="${x}" y="12" text-anchor="end">${text}</text>`;
}

function killLine(ms: number, axis: Axis, height: number): Markup {
  const x = axis.x(ms) - 4;
  return html`<line class="kill" x1="${x}" y1="16" x2="${x}" y2="${height}"/><text class="kill-text" x="${x + 4}" y="12">killed, booted again</text>`;
}
