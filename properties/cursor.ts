/** B903 to B906, B908 and B909: what a cursor gives, and what is none. */
import { ALTERATIONS, type DirectedProperty } from './program.js';
import {
  bytes,
  configure,
  create,
  delta,
  drain,
  get,
  holding,
  list,
  mark,
  quiet,
  remove,
  scenario,
  since,
  token,
} from './steps.js';

const base = { kind: 'directed', area: 'list', umbrella: [], completionIsEvidence: false } as const;
const withCursors = { sinceRevision: true } as const;
const alone = { ...withCursors, alone: true } as const;
const hurried = { settle: false } as const;

/** How many machines are held while nothing moves: the more, the likelier a stray change is one of theirs. */
const HELD = 16;

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const repeated = (length: number, ...pattern: number[]): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => pattern[i % pattern.length] ?? 0);

/**
 * Bytes that no provider issues. The lengths are those of common cursors: a number, two numbers, a hash. The last two
 * are numbers that no counter of changes has reached yet, written as text: contract section 9, B906.
 */
const GARBAGE = [
  repeated(1, 0xff),
  repeated(4, 0xde, 0xad, 0xbe, 0xef),
  repeated(8, 0xf3, 0xa9, 0xc1, 0xd2, 0xe4),
  repeated(16, 0xe7, 0xb1, 0x40, 0xc9, 0xf2, 0xa3, 0x5b),
  repeated(256, 0xc3, 0xa5, 0xf0, 0x0d, 0x11),
  text('not-a-cursor'),
  text('\u{1f4a5}{"revision":-1}'),
  text('7fffffffffffffff'),
  text('9223372036854775807'),
];
const ZEROS = [repeated(1, 0), repeated(8, 0), repeated(16, 0), text('0')];

/**
 * The quiet windows come first: until a machine is used it is among the longest unchanged, and those are what a
 * reconcile loop comes round to next.
 */
export const CURSOR_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'quiet-window',
    decides: ['B908'],
    scenarios: [
      holding(HELD, scenario('nobody calls and nothing moves', [quiet()], alone)),
      scenario('a machine was used and is left alone', [create(), configure(), quiet()], alone),
      holding(3, scenario('three machines at rest', [quiet()], alone)),
    ],
  },
  {
    ...base,
    name: 'cursor-advances',
    decides: ['B903'],
    scenarios: [
      scenario(
        'a delta after every call, at rest',
        [
          mark('r0'),
          ...[create(), configure(), drain(), remove()].flatMap((step, n) => [
            step,
            delta(`r${n}`, `r${n + 1}`),
          ]),
        ],
        withCursors,
      ),
      scenario(
        'a delta while the machine moves, and one after it has settled',
        [
          mark('a'),
          create(hurried),
          delta('a', 'b'),
          create(),
          delta('a'),
          delta('b', 'c'),
          configure(hurried),
          delta('c', 'd'),
          configure(),
          delta('d'),
          delta('c'),
        ],
        withCursors,
      ),
      scenario(
        'a delta with a filter',
        [create(), mark('a'), configure(), { ...delta('a'), states: ['CONFIGURED'] }],
        withCursors,
      ),
    ],
  },
  {
    ...base,
    name: 'empty-delta',
    decides: ['B904'],
    scenarios: [
      scenario('a delta of nothing', [mark('a'), delta('a'), delta('a', 'b'), delta('b')], alone),
      scenario('a delta of nothing after a call', [create(), mark('a'), delta('a'), delta('a')], alone),
      scenario(
        'retries, refusals and reads change nothing',
        [
          create(),
          configure(),
          list(),
          mark('a'),
          configure(),
          delta('a'),
          configure({ token: token('replay') }),
          delta('a', 'b'),
          create(),
          get(),
          delta('a'),
          delta('b'),
        ],
        withCursors,
      ),
    ],
  },
  {
    ...base,
    name: 'monotonic-cursor',
    decides: ['B905'],
    scenarios: [
      scenario(
        'four cycles, and a delta since every cursor on the way',
        [
          mark('r0'),
          create(),
          mark('r1'),
          ...[1, 2, 3, 4].flatMap((n) => [configure(), mark(`r${2 * n}`), drain(), mark(`r${2 * n + 1}`)]),
          ...Array.from({ length: 10 }, (_, n) => delta(`r${n}`)),
        ],
        alone,
      ),
      scenario(
        'five machines, and a delta since every cursor on the way',
        [
          mark('r0'),
          ...[0, 1, 2, 3, 4].flatMap((machine) => [create({ machine }), mark(`r${machine + 1}`)]),
          ...[0, 1, 2, 3, 4].map((n) => delta(`r${n}`)),
        ],
        { ...withCursors, speculative: true },
      ),
    ],
  },
  {
    ...base,
    name: 'no-cursor',
    decides: ['B906'],
    scenarios: [
      scenario(
        'garbage',
        GARBAGE.map((made) => since(bytes(made))),
      ),
      scenario(
        'zeros',
        ZEROS.map((made) => since(bytes(made))),
      ),
      scenario('an operation_id', [create(), since({ from: 'operation-id' })]),
    ],
  },
  {
    ...base,
    name: 'opaque-cursor',
    decides: ['B909'],
    scenarios: [
      scenario(
        'the exact bytes, again and again',
        [mark('a'), delta('a'), delta('a'), create(), delta('a'), delta('a', 'b'), delta('b')],
        withCursors,
      ),
      scenario(
        'altered copies',
        [create(), mark('a'), ...ALTERATIONS.map((how) => since({ from: 'altered', name: 'a', how }))],
        withCursors,
      ),
    ],
  },
];
