/** Cases at the level of records: valid messages that say what no correct provider says. */
import {
  CapacityType,
  ListFilter,
  Machine,
  MachineList,
  MachineState,
  TransitionAck,
} from '../../src/wire/gen/provider.js';
import { machineMessage } from '../wire/messages.js';
import { ALLOWED, answerCase, type Expected, type HostileCase, LOST, violates } from './case.js';
import type { SpoilAnswer } from './fronts.js';
import { OK } from './upstream.js';

const KNOWN = new Set(['Create', 'Configure', 'Drain', 'Delete']);
const isOk = ({ code }: { code: number }) => code === OK;

/** Spoils every ack; `null` leaves one as it is. */
function ack(
  name: string,
  does: string,
  expected: Expected,
  change: (ack: TransitionAck, nth: number) => TransitionAck | null,
): HostileCase {
  return answerCase('record', name, does, expected, () => (passing, strike) => {
    if (!KNOWN.has(passing.kind) || !isOk(passing)) return passing;
    const changed = change(TransitionAck.decode(passing.body), passing.nth);
    if (changed === null) return passing;
    strike();
    return { ...passing, body: Buffer.from(TransitionAck.encode(changed).finish()) };
  });
}

/** Spoils every reply to Get. */
function get(
  name: string,
  does: string,
  expected: Expected,
  change: () => (machine: Machine, nth: number) => Machine | null,
): HostileCase {
  return answerCase('record', name, does, expected, () => {
    const changing = change();
    return (passing, strike) => {
      if (passing.kind !== 'Get' || !isOk(passing)) return passing;
      const changed = changing(Machine.decode(passing.body), passing.nth);
      if (changed === null) return passing;
      strike();
      return { ...passing, body: Buffer.from(Machine.encode(changed).finish()) };
    };
  });
}

/** Spoils every machine, wherever it is shown. */
function everywhere(
  name: string,
  does: string,
  expected: Expected,
  change: (machine: Machine) => Machine | null,
): HostileCase {
  return answerCase('record', name, does, expected, () => (passing, strike) => {
    if (!isOk(passing)) return passing;
    const hit = (machine: Machine): Machine => {
      const changed = change(machine);
      if (changed === null) return machine;
      strike();
      return changed;
    };
    return { ...passing, body: Buffer.from(respelled(passing.kind, passing.body, hit)) };
  });
}

function respelled(kind: string, body: Buffer, hit: (machine: Machine) => Machine): Uint8Array {
  if (kind === 'Get') return Machine.encode(hit(Machine.decode(body))).finish();
  if (kind === 'List') {
    const list = MachineList.decode(body);
    return MachineList.encode({ ...list, machines: list.machines.map(hit) }).finish();
  }
  const decoded = TransitionAck.decode(body);
  return TransitionAck.encode({
    ...decoded,
    ...(decoded.machine && { machine: hit(decoded.machine) }),
  }).finish();
}

/** Spoils every List but the first, which the check needs to get to know the fleet. */
function list(
  name: string,
  does: string,
  expected: Expected,
  change: (list: MachineList, nth: number, plain: boolean) => MachineList | null,
): HostileCase {
  return answerCase('record', name, does, expected, () => (passing, strike) => {
    if (passing.kind !== 'List' || !isOk(passing) || passing.nth === 0) return passing;
    const { states, maxResults, sinceRevision } = ListFilter.decode(passing.request);
    const plain = states.length === 0 && maxResults === 0 && sinceRevision.length === 0;
    const changed = change(MachineList.decode(passing.body), passing.nth, plain);
    if (changed === null) return passing;
    strike();
    return { ...passing, body: Buffer.from(MachineList.encode(changed).finish()) };
  });
}

/** Answers calls of a kind with a status instead. */
function refusal(name: string, does: string, expected: Expected, spoil: SpoilAnswer): HostileCase {
  return answerCase('record', name, does, expected, () => spoil);
}

const STABLE = new Set([MachineState.MACHINE_STATE_IDLE, MachineState.MACHINE_STATE_CONFIGURED]);
const isStable = ({ state }: Machine) => STABLE.has(state);
const isSpeculative = ({ state }: Machine) => state === MachineState.MACHINE_STATE_SPECULATIVE;
const isConfigured = ({ state }: Machine) => state === MachineState.MACHINE_STATE_CONFIGURED;
const isIdle = ({ state }: Machine) => state === MachineState.MACHINE_STATE_IDLE;
/** Clears the screen, names the window, rings, and turns the text around. */
export const ESCAPES = '\u001b[2J\u001b]0;pwned\u0007\u202eevil\r\n\u009b31m';
export const MARKUP = '<script>alert(1)</script>]]>&amp;"\'<img src=x onerror=alert(1)>';
const MEGABYTE = 'x'.repeat(1024 * 1024);

function stranger(id: string): Machine {
  return machineMessage({ id, state: MachineState.MACHINE_STATE_SPECULATIVE, host: undefined });
}

export const ACK_CASES: readonly HostileCase[] = [
  ack('ack-nil-machine', 'every ack comes without a machine', violates('B408', 'B103', 'B801'), (a) => ({
    ...a,
    machine: undefined,
  })),
  ack('ack-empty', 'every ack is an empty message', violates('B206', 'B214', 'B401'), () => ({
    operationId: '',
    machine: undefined,
  })),
  ack(
    'ack-empty-operation',
    'every ack has an empty operation_id',
    violates('B206', 'B214', 'B401'),
    (a) => ({ ...a, operationId: '' }),
  ),
  ack('ack-one-operation', 'all acks carry the same operation_id', violates('B214', 'B407', 'B206'), (a) => ({
    ...a,
    operationId: 'op-1',
  })),
  ack(
    'ack-new-operation',
    'every ack carries an operation_id of its own, repeats included',
    violates('B206', 'B401', 'B402', 'B403', 'B409'),
    (a, nth) => ({ ...a, operationId: `${a.operationId}-${nth}` }),
  ),
  ack('ack-huge-operation', 'operation ids are a megabyte long', ALLOWED, (a) => ({
    ...a,
    operationId: `${a.operationId}${MEGABYTE}`,
  })),
  ack('ack-other-machine', 'every ack shows another machine', violates('B408', 'B801'), (a) => ({
    ...a,
    machine: a.machine && { ...a.machine, id: `${a.machine.id}-not` },
  })),
  ack(
    'ack-failed',
    'every ack shows the machine FAILED without a reason',
    violates('B103', 'B104', 'B105', 'B101', 'B404', 'B408'),
    (a) => ({ ...a, machine: a.machine && { ...a.machine, state: MachineState.MACHINE_STATE_FAILED } }),
  ),
  ack(
    'ack-speculative',
    'every ack shows the machine SPECULATIVE, whatever was asked',
    violates('B103', 'B104', 'B105', 'B101', 'B408'),
    (a) => ({
      ...a,
      machine: a.machine && {
        ...a.machine,
        state: MachineState.MACHINE_STATE_SPECULATIVE,
        host: undefined,
        cluster: '',
        shardMetadata: new Map(),
      },
    }),
  ),
];

export const GET_CASES: readonly HostileCase[] = [
  get('get-empty-id', 'every Get shows an empty id', violates('B801'), () => (m) => ({ ...m, id: '' })),
  get('get-other-id', 'every Get shows the id of another machine', violates('B801'), () => (m) => ({
    ...m,
    id: `${m.id}-not`,
  })),
  get(
    'states-go-backwards',
    'a machine seen CONFIGURED is CONFIGURING in the next Get',
    violates('B108', 'B103'),
    () => {
      const seen = new Map<string, number>();
      return (m) => {
        const before = seen.get(m.id) ?? 0;
        seen.set(m.id, isConfigured(m) ? before + 1 : 0);
        return isConfigured(m) && before > 0 ? { ...m, state: MachineState.MACHINE_STATE_CONFIGURING } : null;
      };
    },
  ),
  get(
    'states-flap',
    'every second Get of an IDLE machine shows it CREATING',
    violates('B108', 'B105', 'B104'),
    () => (m, nth) =>
      isIdle(m) && nth % 2 === 1 ? { ...m, state: MachineState.MACHINE_STATE_CREATING } : null,
  ),
  get(
    'binding-of-another',
    'a CONFIGURED machine shows a cluster that nobody asked for',
    violates('B106', 'B803'),
    () => (m) => (isConfigured(m) ? { ...m, cluster: 'somebody-else' } : null),
  ),
  get(
    'binding-lost',
    'a CONFIGURED machine shows no cluster',
    violates('B106', 'B803'),
    () => (m) => (isConfigured(m) ? { ...m, cluster: '' } : null),
  ),
  get(
    'metadata-key-lost',
    'one key of the metadata is missing',
    violates('B501', 'B1202', 'B504'),
    () => (m) => {
      if (m.shardMetadata.size === 0) return null;
      return { ...m, shardMetadata: new Map([...m.shardMetadata].slice(1)) };
    },
  ),
  get(
    'metadata-proto',
    'the metadata has a key __proto__ that nobody sent',
    violates('B501', 'B1202', 'B504'),
    () => (m) =>
      isConfigured(m)
        ? {
            ...m,
            shardMetadata: new Map([...m.shardMetadata, ['__proto__', 'polluted'], ['constructor', 'x']]),
          }
        : null,
  ),
  get(
    'metadata-stays',
    'an IDLE machine shows metadata',
    violates('B502', 'B101'),
    () => (m) => (isIdle(m) ? { ...m, shardMetadata: new Map([['old', 'key']]) } : null),
  ),
  get(
    'host-changes',
    'the host is of another provider in every Get',
    violates('B805'),
    () => (m, nth) => (m.host ? { ...m, host: { ...m.host, provider: `p-${nth}` } } : null),
  ),
  get(
    'host-lost',
    'an IDLE or CONFIGURED machine shows no host',
    violates('B107', 'B803'),
    () => (m) => (isStable(m) ? { ...m, host: undefined } : null),
  ),
  get(
    'host-early',
    'a SPECULATIVE machine shows a host',
    violates('B107', 'B803', 'B807'),
    () => (m) => (isSpeculative(m) ? { ...m, host: { provider: 'p', ref: 'r' } } : null),
  ),
  get(
    'error-at-rest',
    'an IDLE machine shows a last_error',
    violates('B101', 'B107', 'B803'),
    () => (m) => (isIdle(m) ? { ...m, lastError: 'something' } : null),
  ),
  get(
    'error-with-escapes',
    'an IDLE machine shows a last_error of terminal escapes and markup',
    violates('B101', 'B107', 'B803'),
    () => (m) => (isIdle(m) ? { ...m, lastError: ESCAPES + MARKUP } : null),
  ),
  get(
    'error-of-a-megabyte',
    'an IDLE machine shows a last_error of a megabyte',
    violates('B101', 'B107', 'B803'),
    () => (m) => (isIdle(m) ? { ...m, lastError: MEGABYTE } : null),
  ),
  get(
    'fleet-moves-by-itself',
    'IDLE machines turn FAILED by themselves',
    violates('B105', 'B104', 'B108'),
    () => {
      const seen = new Map<string, number>();
      return (m) => {
        const before = seen.get(m.id) ?? 0;
        seen.set(m.id, isIdle(m) ? before + 1 : 0);
        return isIdle(m) && before > 0
          ? { ...m, state: MachineState.MACHINE_STATE_FAILED, lastError: 'gone' }
          : null;
      };
    },
  ),
];

export const FIELD_CASES: readonly HostileCase[] = [
  everywhere('price-nan', 'every price is NaN', violates('B802'), (m) => ({
    ...m,
    pricePerHour: Number.NaN,
  })),
  everywhere('price-infinite', 'every price is infinite', violates('B802'), (m) => ({
    ...m,
    pricePerHour: Number.POSITIVE_INFINITY,
  })),
  everywhere('price-minus-infinity', 'every price is minus infinity', violates('B802'), (m) => ({
    ...m,
    pricePerHour: Number.NEGATIVE_INFINITY,
  })),
  everywhere('price-negative-zero', 'every price is -0', ALLOWED, (m) => ({ ...m, pricePerHour: -0 })),
  everywhere('price-tiny', 'every price is the smallest number there is', ALLOWED, (m) => ({
    ...m,
    pricePerHour: Number.MIN_VALUE,
  })),
  everywhere('chance-nan', 'every interruption probability is NaN', violates('B802'), (m) => ({
    ...m,
    interruptionProbability: Number.NaN,
  })),
  everywhere('chance-above-one', 'every interruption probability is 1.5', violates('B802'), (m) => ({
    ...m,
    interruptionProbability: 1.5,
  })),
  everywhere('chance-negative', 'every interruption probability is -0.1', violates('B802'), (m) => ({
    ...m,
    interruptionProbability: -0.1,
  })),
  everywhere('spot-never-interrupted', 'machines are SPOT with probability 0', violates('B802'), (m) => ({
    ...m,
    capacityType: CapacityType.CAPACITY_TYPE_SPOT,
    interruptionProbability: 0,
  })),
  everywhere('state-unknown', 'machines at rest are in state 99', violates('B801'), (m) =>
    isStable(m) ? { ...m, state: 99 as MachineState } : null,
  ),
  everywhere('state-negative', 'machines at rest are in state -1', violates('B801'), (m) =>
    isStable(m) ? { ...m, state: -1 as MachineState } : null,
  ),
  everywhere('state-unspecified', 'machines at rest are in state 0', violates('B801'), (m) =>
    isStable(m) ? { ...m, state: MachineState.MACHINE_STATE_UNSPECIFIED } : null,
  ),
  everywhere('capacity-type-unknown', 'capacity types are 77', violates('B806', 'B801'), (m) => ({
    ...m,
    capacityType: 77 as CapacityType,
  })),
  everywhere('capacity-type-unspecified', 'capacity types are 0', violates('B806', 'B801'), (m) => ({
    ...m,
    capacityType: CapacityType.CAPACITY_TYPE_UNSPECIFIED,
  })),
  everywhere('instance-type-empty', 'instance types are empty', violates('B801'), (m) => ({
    ...m,
    instanceType: '',
  })),
  everywhere('zone-in-labels', 'labels hold the key zone', violates('B801'), (m) => ({
    ...m,
    labels: new Map([...m.labels, ['Zone', 'z1']]),
  })),
  everywhere('zone-empty', 'zones are empty', violates('B806'), (m) => ({ ...m, zone: '' })),
  everywhere('quantity-garbage', 'quantities are no quantities', violates('B804'), (m) => ({
    ...m,
    resources: { resources: new Map([['cpu', 'plenty']]) },
    allocatable: { resources: new Map([['cpu', '1']]) },
  })),
  everywhere('resources-empty', 'resource maps are present and empty', violates('B804'), (m) => ({
    ...m,
    resources: { resources: new Map() },
    allocatable: { resources: new Map() },
  })),
  everywhere(
    'labels-ten-thousand',
    'every tenth machine has 10,000 labels',
    ALLOWED,
    (() => {
      const labels = new Map(
        Array.from({ length: 10_000 }, (_, n) => [`example.com/label-${n}`, `value-${n}`] as const),
      );
      return (m: Machine) => (m.id.endsWith('1') ? { ...m, labels } : null);
    })(),
  ),
  everywhere('labels-proto', 'labels hold __proto__, constructor and the empty key', ALLOWED, (m) => ({
    ...m,
    labels: new Map([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['', 'c'],
      ['hasOwnProperty', 'd'],
    ]),
  })),
  everywhere('escapes-everywhere', 'terminal escapes stand in every string that is free', ALLOWED, (m) => ({
    ...m,
    instanceType: ESCAPES,
    zone: ESCAPES,
    labels: new Map([[ESCAPES, ESCAPES]]),
    ...(m.host && { host: { provider: ESCAPES, ref: ESCAPES } }),
  })),
  everywhere('markup-everywhere', 'markup stands in every string that is free', ALLOWED, (m) => ({
    ...m,
    instanceType: MARKUP,
    zone: MARKUP,
    labels: new Map([[MARKUP, MARKUP]]),
    ...(m.host && { host: { provider: MARKUP, ref: MARKUP } }),
  })),
  everywhere('price-refreshed', 'prices change all the time', ALLOWED, (m) => ({
    ...m,
    pricePerHour: Math.round(performance.now()),
  })),
];

export const LIST_CASES: readonly HostileCase[] = [
  list('list-twice', 'every List names one machine twice', violates('B901', 'B907'), (l) => ({
    ...l,
    machines: [...l.machines, ...l.machines.slice(0, 1)],
  })),
  list(
    'list-empty-id',
    'every plain List has a machine without an id',
    violates('B801', 'B901'),
    (l, _nth, plain) => (plain ? { ...l, machines: [...l.machines, stranger('')] } : null),
  ),
  list('list-empty', 'every plain List is empty', violates('B901', 'B902', 'B906'), (l, _nth, plain) =>
    plain ? { ...l, machines: [] } : null,
  ),
  list('list-grows', 'every plain List is a thousand machines longer', LOST, (l, nth, plain) =>
    plain
      ? {
          ...l,
          machines: [...l.machines, ...Array.from({ length: nth * 1_000 }, (_, n) => stranger(`new-${n}`))],
        }
      : null,
  ),
  list('list-huge-id', 'a machine of somebody else has an id of a megabyte', ALLOWED, (l, _nth, plain) =>
    plain ? { ...l, machines: [...l.machines, stranger(MEGABYTE)] } : null,
  ),
  list(
    'list-escapes-in-id',
    'a broken machine of somebody else has terminal escapes and markup in its id',
    violates('B802'),
    (l, _nth, plain) =>
      plain ? { ...l, machines: [...l.machines, { ...stranger(ESCAPES + MARKUP), pricePerHour: -1 }] } : null,
  ),
  list(
    'list-ignores-filter',
    'every List shows a FAILED machine, whatever it is asked for',
    violates('B901', 'B902', 'B904'),
    (l) => ({
      ...l,
      machines: [
        ...l.machines,
        { ...stranger('failed-one'), state: MachineState.MACHINE_STATE_FAILED, lastError: 'broken' },
      ],
    }),
  ),
];

export const CODE_CASES: readonly HostileCase[] = [
  refusal(
    'fences-everything',
    'every Create is refused with FAILED_PRECONDITION',
    violates('B302', 'B303', 'B308', 'B309', 'B1204', 'B101'),
    (passing, strike) => {
      if (passing.kind !== 'Create' || passing.code !== OK) return passing;
      strike();
      return { ...passing, code: 9, details: 'fenced' };
    },
  ),
  refusal(
    'forgets-machines',
    'every Get of a known machine is NOT_FOUND',
    violates('B107', 'B101', 'B215', 'B305', 'B801'),
    (passing, strike) => {
      if (passing.kind !== 'Get' || passing.code !== OK) return passing;
      strike();
      return { ...passing, code: 5, details: 'never heard of it' };
    },
  ),
  refusal(
    'invents-machines',
    'a mutation of an unknown machine is OK',
    violates('B207', 'B215', 'B301', 'B1205'),
    (passing, strike) => {
      if (passing.kind === 'Get' || passing.code !== 5) return passing;
      strike();
      return {
        ...passing,
        code: OK,
        body: Buffer.from(
          TransitionAck.encode({
            operationId: `invented-${passing.count}`,
            machine: stranger('invented'),
          }).finish(),
        ),
      };
    },
  ),
  refusal(
    'refuses-with-escapes',
    'every Configure is refused INTERNAL with terminal escapes in its text',
    violates('B101', 'B103', 'B105', 'B1203'),
    (passing, strike) => {
      if (passing.kind !== 'Configure' || passing.code !== OK) return passing;
      strike();
      return { ...passing, code: 13, details: ESCAPES + MARKUP };
    },
  ),
  refusal(
    'says-cancelled',
    'every third call is answered CANCELLED although it was carried out',
    { kind: 'indeterminate' },
    (passing, strike) => {
      if (passing.kind === 'List' || passing.count % 3 !== 0) return passing;
      strike();
      return { ...passing, code: 1, details: 'no reason' };
    },
  ),
  refusal(
    'says-unavailable',
    'every third call is answered UNAVAILABLE although it was carried out',
    { kind: 'indeterminate' },
    (passing, strike) => {
      if (passing.kind === 'List' || passing.count % 3 !== 0) return passing;
      strike();
      return { ...passing, code: 14, details: 'try again' };
    },
  ),
];

export const RECORD_CASES: readonly HostileCase[] = [
  ...ACK_CASES,
  ...GET_CASES,
  ...FIELD_CASES,
  ...LIST_CASES,
  ...CODE_CASES,
];
