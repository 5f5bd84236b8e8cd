/** Bugs of the map a Configure binds (contract sections 2 and 3). */
import { isDeepStrictEqual } from 'node:util';
import type { Mutant } from '../alteration.js';
import { showing, storing } from './support.js';

type Entry = readonly [string, string];

const NUL = '\u0000';
const BYTE_ORDER_MARK = '\ufeff';

/** Metadata bugs. */
export const METADATA: readonly Mutant[] = [
  {
    name: 'empty-values-dropped',
    breaks: 'B501',
    says: 'Entries with an empty value are not stored.',
    alter: storing((map) => [...map].filter(([, value]) => value !== '')),
  },
  {
    name: 'unicode-normalised',
    breaks: 'B501',
    says: 'Values are brought into Unicode normal form.',
    alter: storing((map) => eachValue(map, (value) => value.normalize('NFC'))),
  },
  {
    name: 'keys-lower-cased',
    breaks: 'B501',
    says: 'Keys are stored in lower case.',
    alter: storing((map) => [...map].map(([key, value]): Entry => [key.toLowerCase(), value])),
  },
  {
    name: 'values-end-at-nul',
    breaks: 'B501',
    says: 'A value ends at its first NUL.',
    alter: storing((map) => eachValue(map, (value) => value.split(NUL, 1)[0] ?? '')),
  },
  {
    name: 'control-characters-stripped',
    breaks: 'B501',
    says: 'Control characters are taken out of values.',
    alter: storing((map) => eachValue(map, (value) => value.replace(/\p{Cc}/gu, ''))),
  },
  {
    name: 'map-missing-in-list',
    breaks: 'B501',
    says: 'List leaves the map out that Get shows.',
    alter: showing((record, _machine, seen) =>
      seen === 'list' ? { ...record, shardMetadata: new Map() } : record,
    ),
  },
  {
    name: 'large-map-loses-empty-values',
    breaks: 'B501',
    says: 'In a map of more than 32 keys, entries with an empty value are not stored.',
    alter: storing((map) => (map.size > 32 ? [...map].filter(([, value]) => value !== '') : map)),
  },
  {
    name: 'map-merged-with-old',
    breaks: 'B502',
    says: 'A Configure adds its map to those the machine had before.',
    alter(base) {
      const kept = new Map<string, ReadonlyMap<string, string>>();
      const merged = storing((map, machine) => {
        const all = new Map([...(kept.get(machine.id) ?? []), ...map]);
        kept.set(machine.id, all);
        return all;
      });
      return merged(base);
    },
  },
  {
    name: 'map-truncated-at-50-keys',
    breaks: 'B503',
    says: 'Only the first 50 entries are stored.',
    alter: storing((map) => [...map].slice(0, 50)),
  },
  {
    name: 'long-values-cut',
    breaks: 'B503',
    says: 'A value is cut at 256 characters.',
    alter: storing((map) => eachValue(map, (value) => [...value].slice(0, 256).join(''))),
  },
  {
    name: 'large-map-summarised',
    breaks: 'B503',
    says: 'A map of more than 64 keys is stored as the number of its keys.',
    alter: storing((map) => (map.size > 64 ? [['keys', String(map.size)]] : map)),
  },
  {
    name: 'binding-visible-only-after-settling',
    breaks: 'B504',
    says: 'The map shows only once the machine is Configured.',
    alter: showing((record, machine) =>
      machine.state === 'CONFIGURING' ? { ...record, shardMetadata: new Map() } : record,
    ),
  },
  {
    name: 'map-reused-between-machines',
    breaks: 'B505',
    says: 'One map is kept for all Configures, so the next one on any machine changes what is stored.',
    alter(base) {
      const shared = new Map<string, string>();
      return {
        bind(call, machine) {
          shared.clear();
          for (const [key, value] of call.metadata) shared.set(key, value);
          return { ...base.bind(call, machine), metadata: shared };
        },
      };
    },
  },
  {
    name: 'retry-rewrites-map',
    breaks: 'B205',
    says: 'A Configure repeated with another map succeeds without effect, except on the stored map.',
    alter: (base) => ({
      idempotency(call, provider) {
        const machine = provider.fleet.get(call.machineId);
        if (call.kind !== 'Configure' || machine?.state !== 'CONFIGURED')
          return base.idempotency(call, provider);
        const { metadata } = base.bind(call, machine);
        const cluster = machine.binding?.cluster ?? '';
        const same = isDeepStrictEqual(metadata, machine.binding?.metadata);
        if (!same) provider.put({ ...machine, binding: { cluster, metadata } });
        return base.idempotency(call, provider);
      },
    }),
  },
  {
    name: 'byte-order-mark-stripped',
    breaks: 'B1202',
    says: 'A byte order mark at the start of a value is not stored.',
    alter: storing((map) =>
      eachValue(map, (value) => (value.startsWith(BYTE_ORDER_MARK) ? value.slice(1) : value)),
    ),
  },
  {
    name: 'astral-characters-replaced',
    breaks: 'B1202',
    says: 'Characters beyond the basic plane are stored as replacement characters.',
    alter: storing((map) => eachValue(map, (value) => value.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'))),
  },
  {
    name: 'prototype-key-lost',
    breaks: 'B1202',
    says: 'The key __proto__ is not stored.',
    alter: storing((map) => [...map].filter(([key]) => key !== '__proto__')),
  },
  {
    name: 'keys-trimmed',
    breaks: 'B1202',
    says: 'White space around keys is taken off.',
    alter: storing((map) => [...map].map(([key, value]): Entry => [key.trim(), value])),
  },
];

function eachValue(map: ReadonlyMap<string, string>, change: (value: string) => string): Entry[] {
  return [...map].map(([key, value]) => [key, change(value)]);
}
