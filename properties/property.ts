/** B1201 to B1205, and the random halves of the fence's behaviors. */
import fc from 'fast-check';
import {
  ALL_TOKENS,
  BOUNDARY_TOKENS,
  ORDERED_TOKENS,
  PLAIN_METADATA,
  raceAfter,
  walk,
  withOddRequests,
} from './arbitraries.js';
import type { GenerativeProperty } from './program.js';
import { unicodeMetadata } from './unicode.js';

const base = { kind: 'generative', area: 'property', completionIsEvidence: true } as const;
const lifecycleWalk = {
  minSteps: 4,
  maxSteps: 14,
  machines: 1,
  shards: 2,
  tokens: ORDERED_TOKENS,
  strangers: 2,
  metadata: PLAIN_METADATA,
  hurried: 15,
} as const;

const tokenWalk = { ...lifecycleWalk, shards: 1, tokens: BOUNDARY_TOKENS, strangers: 0, hurried: 5 } as const;

const raceWalk = {
  ...lifecycleWalk,
  minSteps: 0,
  maxSteps: 3,
  shards: 3,
  strangers: 0,
  hurried: 10,
} as const;

export const GENERATIVE_PROPERTIES: readonly GenerativeProperty[] = [
  {
    ...base,
    name: 'token-stream',
    decides: ['B1201', 'B312'],
    umbrella: ['fence'],
    share: 25,
    programs: fc.oneof(
      { weight: 3, arbitrary: walk(tokenWalk) },
      // A fence may wear out.
      { weight: 1, arbitrary: walk({ ...tokenWalk, minSteps: 28, maxSteps: 44 }) },
    ),
  },
  {
    ...base,
    name: 'metadata-round-trip',
    decides: ['B1202'],
    umbrella: [],
    share: 10,
    programs: walk({ ...lifecycleWalk, maxSteps: 8, metadata: unicodeMetadata(), tokens: [[1, 'fresh']] }),
  },
  {
    ...base,
    name: 'lifecycle-walk',
    decides: ['B1203'],
    umbrella: ['position', 'lifecycle'],
    share: 30,
    programs: walk({ ...lifecycleWalk, tokens: ALL_TOKENS }),
  },
  {
    ...base,
    name: 'many-shards',
    decides: ['B1204'],
    umbrella: [],
    share: 20,
    programs: walk({ ...lifecycleWalk, machines: 3, shards: 3, minSteps: 6, maxSteps: 18, strangers: 8 }),
  },
  {
    ...base,
    name: 'odd-requests',
    decides: ['B1205'],
    umbrella: ['shape', 'size', 'existence'],
    share: 15,
    programs: withOddRequests(walk({ ...lifecycleWalk, maxSteps: 10, strangers: 15, tokens: ALL_TOKENS })),
  },
  {
    ...base,
    area: 'concurrency',
    name: 'random-races',
    decides: ['B404', 'B405', 'B408'],
    umbrella: [],
    share: 15,
    programs: raceAfter(walk(raceWalk), raceWalk),
  },
  {
    ...base,
    area: 'concurrency',
    name: 'random-races-over-machines',
    decides: ['B404', 'B405', 'B407', 'B408'],
    umbrella: [],
    share: 10,
    programs: raceAfter(walk({ ...raceWalk, machines: 3, maxSteps: 5 }), { ...raceWalk, machines: 3 }),
  },
];
