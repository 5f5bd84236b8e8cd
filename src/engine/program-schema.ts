/** Checks that a program from a file is one; what a user edits by hand must not crash the run. */

import { LIFECYCLE_STATES } from '../../model/machine.js';
import { ALTERATIONS, MOST_MACHINES, TOKEN_CLASSES } from '../../properties/program.js';
import { quoteForeign } from '../wire/environment-error.js';

const MOST_STEPS = 10_000;
const STATES: ReadonlySet<unknown> = new Set(LIFECYCLE_STATES);
const CLASSES: ReadonlySet<unknown> = new Set(TOKEN_CLASSES);
const ALTERED: ReadonlySet<unknown> = new Set(ALTERATIONS);
const INT32_MAX = 2 ** 31 - 1;
const MOST_POLLS = 1000;
const INT64_LIMIT = 2n ** 63n;
const MOST_BLOB_BYTES = 64 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with `value` as a program, in words, or null where nothing is. */
export function checkProgram(value: unknown): string | null {
  if (!isObject(value)) return '"program" must be an object';
  const { machines, steps, branches } = value;
  if (
    typeof machines !== 'number' ||
    !Number.isInteger(machines) ||
    machines < 1 ||
    machines > MOST_MACHINES
  ) {
    return `"program.machines" must be 1 to ${MOST_MACHINES}`;
  }
  if (!Array.isArray(steps) || steps.length > MOST_STEPS) return '"program.steps" must be a list of steps';
  if (!Array.isArray(branches) || branches.length > 64)
    return '"program.branches" must be a list of branches';
  const lists: readonly (readonly [string, unknown])[] = [
    ['program.steps', steps],
    ...branches.map((branch, i) => [`program.branches[${i}]`, branch] as const),
  ];
  for (const [where, list] of lists) {
    if (!Array.isArray(list) || list.length > MOST_STEPS) return `"${where}" must be a list of steps`;
    for (const [i, step] of list.entries()) {
      const problem = checkStep(step, machines);
      if (problem !== null) return `"${where}[${i}]" ${problem}`;
    }
  }
  return null;
}

function checkStep(step: unknown, machines: number): string | null {
  if (!isObject(step)) return 'must be an object';
  switch (step.call) {
    case 'Crash':
      return checkCrash(step, machines);
    case 'Get':
    case 'Watch':
      return checkSlot(step.machine, machines);
    case 'List':
      return checkList(step);
    case 'Page':
      return checkPage(step);
    case 'Quiet':
      return isCount(step.polls, 1, MOST_POLLS) ? null : `needs "polls", 1 to ${MOST_POLLS}`;
    case 'Create':
    case 'Delete':
      return checkMutation(step, machines);
    case 'Drain':
      return (
        checkMutation(step, machines) ?? (isInt64(step.grace) ? null : 'needs "grace", an int64 in decimal')
      );
    case 'Configure':
      return checkMutation(step, machines) ?? checkConfigure(step);
    default:
      return `has an unknown call ${seen(step.call)}`;
  }
}

function checkList({ states, max, since, save }: Fields): string | null {
  if (!Array.isArray(states) || !states.every((state) => STATES.has(state)))
    return 'needs "states", a list of lifecycle states';
  if (!isCount(max, 0, INT32_MAX)) return 'needs "max", 0 or a number of machines';
  if (save !== null && typeof save !== 'string') return 'needs "save", a name or null';
  return isSince(since) ? null : 'needs "since", which says where the cursor comes from';
}

function isSince(since: unknown): boolean {
  if (!isObject(since)) return false;
  const { from, name, how, hex } = since;
  switch (from) {
    case 'start':
    case 'operation-id':
      return true;
    case 'saved':
      return typeof name === 'string';
    case 'altered':
      return typeof name === 'string' && ALTERED.has(how);
    case 'bytes':
      return typeof hex === 'string' && /^([0-9a-f]{2}){1,4096}$/.test(hex);
    default:
      return false;
  }
}

function checkPage({ walk, size, pages }: Fields): string | null {
  if (typeof walk !== 'string') return 'needs "walk", a name';
  if (size !== 'fleet' && !isCount(size, 1, INT32_MAX))
    return 'needs "size", a number of machines or "fleet"';
  return isCount(pages, 0, MOST_STEPS) ? null : 'needs "pages", 0 for all or how many';
}

function isCount(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function checkCrash({ during, afterMs }: Fields, machines: number): string | null {
  const inTime = typeof afterMs === 'number' && afterMs >= 0 && afterMs <= 60_000;
  if (!inTime) return 'needs "afterMs", milliseconds up to a minute';
  return during === null
    ? null
    : isObject(during) && 'token' in during
      ? checkStep(during, machines)
      : 'needs "during", a mutation or null';
}

function checkMutation(step: Fields, machines: number): string | null {
  if (typeof step.settle !== 'boolean') return 'needs "settle", true or false';
  return checkSlot(step.machine, machines) ?? checkToken(step.token);
}

function checkSlot(slot: unknown, machines: number): string | null {
  if (slot === 'unknown' || slot === 'empty') return null;
  const known = typeof slot === 'number' && Number.isInteger(slot) && slot >= 0 && slot < machines;
  return known ? null : `needs "machine", a number below ${machines}, "unknown" or "empty"`;
}

function checkToken(token: unknown): string | null {
  const wanted = 'needs "token" with a shard and a class, or a shard, an epoch and a sequence';
  if (!isObject(token)) return wanted;
  const shard =
    token.shard === null || (typeof token.shard === 'number' && Number.isSafeInteger(token.shard));
  if (!shard) return wanted;
  if ('class' in token) return CLASSES.has(token.class) && token.shard !== null ? null : wanted;
  return isInt64(token.epoch) && isInt64(token.sequence) ? null : wanted;
}

function checkConfigure({ cluster, metadata, blobBytes }: Fields): string | null {
  if (typeof cluster !== 'string' || !cluster.isWellFormed()) return 'needs "cluster", a string';
  const size = typeof blobBytes === 'number' && Number.isInteger(blobBytes) && blobBytes >= 0;
  if (!size || blobBytes > MOST_BLOB_BYTES) return 'needs "blobBytes", a number of bytes';
  return Array.isArray(metadata) && metadata.every(isEntry)
    ? null
    : 'needs "metadata", a list of [key, value]';
}

function isEntry(entry: unknown): boolean {
  return (
    Array.isArray(entry) &&
    entry.length === 2 &&
    entry.every((text) => typeof text === 'string' && text.isWellFormed())
  );
}

function isInt64(value: unknown): boolean {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return number >= -INT64_LIMIT && number < INT64_LIMIT;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of any shape and size, in few words: a message is for people, and a deep value would overflow the stack. */
export function seen(value: unknown): string {
  if (typeof value === 'string') return quoteForeign(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}
