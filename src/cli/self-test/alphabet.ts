/** The steps that the search for shortest counterexamples puts together. */
import type { Step, TokenClass } from '../../../properties/program.js';
import {
  capped,
  configure,
  create,
  delta,
  drain,
  get,
  list,
  mark,
  remove,
  token,
  watch,
} from '../../../properties/steps.js';

const CALLS = [create, configure, drain, remove] as const;
const ODD_TOKENS: readonly TokenClass[] = ['extreme', 'past-int32', 'past-double', 'negative-epoch', 'zero'];
const none = token('none');

/** Everything that a careless provider does not expect in a map, and more entries than it may expect. */
const DIFFICULT: [string, string][] = [
  ['', 'empty key'],
  ['empty value', ''],
  ['nul', 'a\u0000b'],
  ['control', '\u0001'],
  ['Capital', '\u00e9 e\u0301'],
  ['__proto__', '\u{1f980}'],
  [' space ', '\ufeffmark'],
];
const MANY: [string, string][] = Array.from({ length: 120 }, (_, i) => [`k${i}`, i % 7 === 0 ? '' : 'v']);
const LONG: [string, string][] = [['long', 'x'.repeat(20_000)]];

/** Mutations of one machine by the tokens that matter: what longer programs are made of. */
export const CORE: readonly Step[] = [
  ...CALLS.map((call) => call({ token: none })),
  ...CALLS.flatMap((call) =>
    (['fresh', 'replay', 'lower-epoch', 'higher-epoch'] as const).map((kind) => call({ token: token(kind) })),
  ),
  ...CALLS.map((call) => call({ token: token('fresh', 1) })),
  configure({ token: none, cluster: 'cluster-b', metadata: [['other', 'map']] }),
];

/** Every step; what comes first is tried first. */
export const ALPHABET: readonly Step[] = [
  ...CORE,
  ...CALLS.map((call) => call({ token: token('lower-sequence') })),
  ...CALLS.map((call) => call({ token: none, settle: false })),
  ...[create, configure].flatMap((call) => ODD_TOKENS.map((kind) => call({ token: token(kind) }))),
  ...[create, drain].flatMap((call) =>
    (['none', 'fresh', 'replay', 'negative-epoch'] as const).map((kind) =>
      call({ machine: 'unknown', token: token(kind), settle: false }),
    ),
  ),
  ...CALLS.map((call) => call({ machine: 'empty', token: none, settle: false })),
  ...[create, configure, drain].flatMap((call) =>
    (['none', 'fresh', 'other-machine'] as const).map((kind) => call({ machine: 1, token: token(kind) })),
  ),
  ...[DIFFICULT, MANY, LONG].map((metadata) => configure({ token: none, metadata })),
  configure({ token: none, blobBytes: 128 * 1024 }),
  drain({ token: none, grace: '-1' }),
  get(),
  get('unknown'),
  get('empty'),
  watch(),
  list(),
  list('IDLE', 'CONFIGURED'),
  list('SPECULATIVE', 'IDLE', 'CONFIGURED'),
  capped(1),
  mark('a'),
  delta('a'),
];
