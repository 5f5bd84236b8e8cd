/** Calls and replies in short words, one line a step, fit for a terminal: everything foreign is escaped. */
import type { CallReply, CounterexampleCall, MachineShown } from './counterexample.js';
import { grouped, quoted, shortId, visible } from './escape.js';

/** Longest error message on a step's line, in UTF-16 units. */
const MESSAGE_LENGTH = 120;

/** The call with its machine, token and arguments: `Configure m0  shard s0 (1,2)  cluster "c1"`. */
export function callText(call: CounterexampleCall): string {
  const { machine, token } = call;
  const killed = call.after_kill ? 'kill, boot again, ' : '';
  const parts = [machine === null ? `${killed}${call.call}` : `${call.call.padEnd(9)} ${machine}`];
  if (token) {
    const shard = token.shard === null ? 'no shard' : `shard ${token.shard}`;
    parts.push(`${shard} (${token.epoch},${token.sequence})`);
  } else if (call.call !== 'Get' && call.call !== 'List') parts.push('no token');
  return [...parts, ...argumentTexts(call)].join('  ');
}

function argumentTexts({ arguments: given }: CounterexampleCall): string[] {
  const texts: string[] = [];
  if (given.cluster !== undefined) texts.push(`cluster ${quoted(given.cluster, 40)}`);
  if (given.metadata_keys) texts.push(`${plural(given.metadata_keys, 'metadata key')}`);
  if (given.blob_bytes !== undefined && given.blob_bytes > 1024)
    texts.push(`blob of ${grouped(given.blob_bytes)} bytes`);
  if (given.grace_period_seconds !== undefined && given.grace_period_seconds !== '0')
    texts.push(`grace ${given.grace_period_seconds} s`);
  if (given.states && given.states.length > 0) texts.push(given.states.join(' or '));
  if (given.max_results) texts.push(`at most ${given.max_results}`);
  if (given.since_revision) texts.push(`since ${cursorText(given.since_revision)}`);
  return texts;
}

/** A cursor that is printable ASCII, as many are, in quotes; any other in hex. */
function cursorText(hex: string): string {
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^[!-~]+$/.test(text) ? quoted(text, 24) : shortId(hex);
}

/** What came back: `OK CREATING op-17`, `NOT_FOUND: no such machine`, `no reply (UNAVAILABLE)`. */
export function replyText(reply: CallReply): string {
  if (!reply.determinate) {
    return reply.code === 'MALFORMED' ? 'a reply that is no message' : `no reply (${reply.code})`;
  }
  if (reply.code !== 'OK')
    return reply.message === '' ? reply.code : `${reply.code}: ${visible(reply.message, MESSAGE_LENGTH)}`;
  if (reply.machines !== undefined) return `OK ${plural(reply.machines, 'machine')}`;
  const state = reply.machine ? machineText(reply.machine) : 'without a machine';
  return reply.operation_id === undefined
    ? `OK ${state}`
    : `OK ${state}  ${shortId(reply.operation_id) || 'no operation_id'}`;
}

function machineText({ state, cluster, metadata_keys, last_error }: MachineShown): string {
  const parts = [state];
  if (cluster !== '') parts.push(`cluster ${quoted(cluster, 40)}`);
  if (metadata_keys > 0) parts.push(plural(metadata_keys, 'metadata key'));
  if (last_error !== '') parts.push(`last_error ${quoted(last_error, MESSAGE_LENGTH)}`);
  return parts.join(' ');
}

/** One step as it is shown: its number, what was sent, what came back, and whether that is the wrong reply. */
export interface StepRow {
  /** `1`, or empty for the polls that belong to the step above. */
  readonly number: string;
  readonly call: string;
  readonly reply: string;
  readonly wrong: boolean;
}

/** The steps in the order in which they were sent. Polls that explain themselves share one row. */
export function stepRows(calls: readonly CounterexampleCall[]): StepRow[] {
  const rows: StepRow[] = [];
  let polled: CounterexampleCall[] = [];
  const flush = (): void => {
    if (polled.length > 0) rows.push(polledRow(polled));
    polled = [];
  };
  const numbers = new Map<string, string>();
  for (const call of [...calls].sort((a, b) => a.invoked_ms - b.invoked_ms)) {
    const key = `${call.branch} ${call.step}`;
    const first = !numbers.has(key);
    if (first) numbers.set(key, numberOf(call, numbers.size));
    const poll = !first && call.call === 'Get';
    if (poll && !call.wrong && (polled.length === 0 || polled[0]?.machine === call.machine)) {
      polled.push(call);
      continue;
    }
    flush();
    const number = first ? (numbers.get(key) ?? '') : '';
    rows.push({ number, call: callText(call), reply: replyText(call.reply), wrong: call.wrong });
  }
  flush();
  return rows;
}

/** `3`, or `3b` in the second of several branches. */
function numberOf({ branch }: CounterexampleCall, before: number): string {
  return `${before + 1}${branch < 0 ? '' : String.fromCharCode('a'.charCodeAt(0) + (branch % 26))}`;
}

function polledRow(polled: readonly CounterexampleCall[]): StepRow {
  const seen = polled.map(({ reply }) => reply.machine?.state ?? reply.code);
  const distinct = seen.filter((text, index) => text !== seen[index - 1]);
  return {
    number: '',
    call: `then Get  ${polled[0]?.machine ?? ''}`,
    reply: distinct.join(', '),
    wrong: false,
  };
}

/** The rows as lines with aligned columns, the wrong reply marked at its end. */
export function stepLines(calls: readonly CounterexampleCall[]): string[] {
  return alignedRows(stepRows(calls)).map(({ call, reply, wrong }) =>
    wrong ? `${call}  ${reply}  <- wrong` : `${call}  ${reply}`,
  );
}

/** Calls longer than this do not push the replies of all the others to the right. */
const WIDEST_CALL = 60;

/** A row in two parts that are set side by side, or one under the other where there is no room. */
export interface AlignedRow {
  /** Number and call, padded so that the replies stand in a column. */
  readonly call: string;
  /** `-> ` and the reply. */
  readonly reply: string;
  readonly wrong: boolean;
}

/** The rows with call and reply in columns. */
export function alignedRows(rows: readonly StepRow[]): AlignedRow[] {
  const numberWidth = Math.max(1, ...rows.map(({ number }) => number.length));
  const callWidth = Math.min(WIDEST_CALL, Math.max(0, ...rows.map(({ call }) => call.length)));
  return rows.map(({ number, call, reply, wrong }) => ({
    call: `${number.padStart(numberWidth)}  ${call.padEnd(callWidth)}`,
    reply: `-> ${reply}`,
    wrong,
  }));
}

/** A count and its noun. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
