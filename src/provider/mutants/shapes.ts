/** Bugs in judging the shape of a request (contract section 4, step 1, and A8). */
import type { Mutant } from '../alteration.js';
import { type Code, type ConfigureCall, type Mutation, type Reply, reject } from '../call.js';
import { unknown } from '../checks.js';
import type { Check, Policies } from '../policies.js';
import type { Alter } from './support.js';

/** Above this a bootstrap blob counts as oversized, in bytes. */
const BLOB_BYTES = 16 * 1024;

/** Above this a map counts as oversized, in keys or in UTF-16 units of keys and values. */
const MAP_KEYS = 100;
const MAP_UNITS = 16 * 1024;

/** Request shape bugs. */
export const SHAPES: readonly Mutant[] = [
  {
    name: 'empty-id-not-found',
    breaks: 'B208',
    says: 'An empty machine id is looked up, and not found.',
    alter: (base) => ({
      shape: (call, provider) => (call.machineId === '' ? unknown('') : base.shape(call, provider)),
      get: (id, provider) => (id === '' ? unknown('') : base.get(id, provider)),
    }),
  },
  {
    name: 'drain-empty-id-failed-precondition',
    breaks: 'B208',
    says: 'Drain with an empty machine id is refused with the code of the fence.',
    alter: reshaped((call, refused) =>
      call.kind === 'Drain' && call.machineId === '' ? reject('FAILED_PRECONDITION', 'no machine') : refused,
    ),
  },
  {
    name: 'negative-grace-rejected-but-drained',
    breaks: 'B210',
    says: 'A negative grace period is refused, after the Drain has begun.',
    alter: (base) => ({
      shape(call, provider) {
        const refused = base.shape(call, provider);
        const machine = provider.fleet.get(call.machineId);
        const drains = call.kind === 'Drain' && call.graceSeconds < 0n && machine?.state === 'CONFIGURED';
        if (drains) provider.policies.accept(call, machine, provider);
        return refused;
      },
    }),
  },
  {
    name: 'negative-grace-failed-precondition',
    breaks: 'B210',
    says: 'A negative grace period is refused with the code of the fence.',
    alter: reshaped((call, refused) =>
      refused !== undefined && negativeGrace(call)
        ? reject('FAILED_PRECONDITION', 'grace period expired')
        : refused,
    ),
  },
  {
    name: 'negative-grace-accepted',
    breaks: 'B210',
    says: 'A negative grace period drains at once.',
    reading: 'literal',
    alter: forgiving((call) => (negativeGrace(call) ? { ...call, graceSeconds: 0n } : call)),
  },
  {
    name: 'negative-token-failed-precondition',
    breaks: 'B211',
    says: 'A negative epoch or sequence number counts as stale.',
    alter: reshaped((call, refused) =>
      refused !== undefined && call.machineId !== '' && negativeToken(call)
        ? reject('FAILED_PRECONDITION', 'fenced: the token is older than any')
        : refused,
    ),
  },
  {
    name: 'negative-token-accepted',
    breaks: 'B211',
    says: 'A negative epoch or sequence number is a number like any other.',
    reading: 'literal',
    alter: forgiving((call) =>
      negativeToken(call) ? { ...call, token: { ...call.token, epoch: 0n, sequence: 0n } } : call,
    ),
  },
  {
    name: 'oversized-blob-rejected-half-way',
    breaks: 'B213',
    says: 'An oversized bootstrap blob is refused when the Configure has already begun.',
    alter: oversized(hugeBlob, 'INVALID_ARGUMENT', true),
  },
  {
    name: 'oversized-blob-failed-precondition',
    breaks: 'B213',
    says: 'An oversized bootstrap blob is refused with the code of the fence.',
    alter: oversized(hugeBlob, 'FAILED_PRECONDITION', false),
  },
  {
    name: 'oversized-map-rejected-half-way',
    breaks: 'B209',
    says: 'An oversized map is refused when the Configure has already begun.',
    alter: oversized(hugeMap, 'INVALID_ARGUMENT', true),
  },
  {
    name: 'oversized-map-failed-precondition',
    breaks: 'B209',
    says: 'An oversized map is refused with the code of the fence.',
    alter: oversized(hugeMap, 'FAILED_PRECONDITION', false),
  },
  {
    name: 'malformed-token-on-unknown-machine-not-found',
    breaks: 'B1205',
    says: 'A malformed token on an unknown id is answered NOT_FOUND.',
    alter: (base) => ({
      shape(call, provider) {
        const missing = call.machineId !== '' && negativeToken(call) && base.existence(call, provider);
        return missing || base.shape(call, provider);
      },
    }),
  },
  {
    name: 'negative-grace-on-idle-failed-precondition',
    breaks: 'B1205',
    says: 'A Drain with a negative grace period on a machine that is not Configured gets the code of the fence.',
    alter: (base) => ({
      shape(call, provider) {
        const refused = base.shape(call, provider);
        const state = provider.fleet.get(call.machineId)?.state;
        return refused !== undefined && negativeGrace(call) && state !== undefined && state !== 'CONFIGURED'
          ? reject('FAILED_PRECONDITION', 'nothing to drain')
          : refused;
      },
    }),
  },
];

/** Changes the verdict on a shape. */
function reshaped(change: (call: Mutation, refused: Reply | undefined) => Reply | undefined): Alter {
  return (base) => ({ shape: (call, provider) => change(call, base.shape(call, provider)) });
}

/** Judges the shape of a repaired call instead of the one that came. */
function forgiving(repair: (call: Mutation) => Mutation): Alter {
  return (base) => ({ shape: (call, provider) => base.shape(repair(call), provider) });
}

/** Refuses some Configures of an Idle machine, before or after they have begun. */
function oversized(tooLarge: (call: ConfigureCall) => boolean, code: Code, begins: boolean): Alter {
  return (base: Policies) => {
    const position: Check = (call, provider) => {
      const refused = base.position(call, provider);
      if (refused !== undefined || call.kind !== 'Configure' || !tooLarge(call)) return refused;
      const machine = provider.fleet.get(call.machineId);
      if (begins && machine !== undefined) provider.policies.accept(call, machine, provider);
      return reject(code, 'the request is too large');
    };
    return { position };
  };
}

function hugeBlob(call: ConfigureCall): boolean {
  return call.blob.length > BLOB_BYTES;
}

function hugeMap(call: ConfigureCall): boolean {
  let units = 0;
  for (const [key, value] of call.metadata) units += key.length + value.length;
  return call.metadata.size > MAP_KEYS || units > MAP_UNITS;
}

function negativeGrace(call: Mutation): boolean {
  return call.kind === 'Drain' && call.graceSeconds < 0n;
}

function negativeToken(call: Mutation): boolean {
  return call.token.shard !== '' && (call.token.epoch < 0n || call.token.sequence < 0n);
}
