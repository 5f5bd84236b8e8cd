/** B501 to B505: what Configure bound comes back byte for byte, and goes away whole. */
import type { DirectedProperty } from './program.js';
import { configure, create, drain, get, list, scenario, token } from './steps.js';

const base = { kind: 'directed', area: 'metadata', umbrella: [], completionIsEvidence: false } as const;
type Entries = readonly (readonly [string, string])[];

/** B501's map: 55 keys of everything that valid UTF-8 may be and that implementations stumble over. */
const DIFFICULT: Entries = [
  ['', 'the empty key'],
  ['empty-value', ''],
  ['nul', '\u0000'],
  ['nul\u0000inside', 'a\u0000b'],
  ...Array.from({ length: 16 }, (_, i) => [`c0-${i}`, `<${String.fromCharCode(i * 2)}>`] as const),
  ['del', '\u007f'],
  ['c1', '\u0080\u0085\u009f'],
  ['composed', '\u00e9'],
  ['decomposed', 'e\u0301'],
  ['\u00e9', 'composed key'],
  ['e\u0301', 'decomposed key'],
  ['right-to-left', '\u05e9\u05dc\u05d5\u05dd \u202e'],
  ['astral', '\u{1f980}\u{10ffff}'],
  ['\u{1f980}', 'astral key'],
  ['bom', '\ufefftext'],
  ['space', ' '],
  [' ', 'space key'],
  ['tab\tand\nnewline', '\t\r\n'],
  ['__proto__', 'polluted'],
  ['constructor', 'x'],
  ['hasOwnProperty', 'y'],
  ['1', 'numeric'],
  ['01', 'leading zero'],
  ['10', 'ten'],
  ['Case', 'upper'],
  ['case', 'lower'],
  ['CASE', 'all'],
  ['json', '{"a":[1,null]}'],
  ['percent', '%00%zz'],
  ['quote"', "'`\\"],
  ['markup', '<b>&amp;</b>'],
  ...Array.from({ length: 9 }, (_, i) => [`team-${i}`, i % 2 ? '' : `v${i}`] as const),
];

const numbered = (name: string, count: number): Entries =>
  Array.from({ length: count }, (_, i) => [`${name}-${i}`, `${name} ${i}`] as const);
const readAgain = [get(), list('CONFIGURED'), get(), list('CONFIGURED')];

export const METADATA_PROPERTIES: readonly DirectedProperty[] = [
  {
    ...base,
    name: 'difficult-map',
    decides: ['B501', 'B504'],
    scenarios: [
      scenario('a map of 55 difficult keys, read again and again', [
        create(),
        configure({ metadata: DIFFICULT }),
        ...readAgain,
      ]),
      scenario('seen while the Configure runs', [
        create(),
        configure({ metadata: DIFFICULT, settle: false }),
        get(),
        get(),
        configure({ metadata: DIFFICULT }),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'rebinding',
    decides: ['B502'],
    scenarios: [
      scenario('a disjoint map after a Drain', [
        create(),
        configure({ metadata: numbered('first', 8) }),
        drain(),
        list('IDLE'),
        configure({ cluster: 'cluster-b', metadata: numbered('second', 3) }),
        ...readAgain,
        drain(),
        configure({ cluster: 'cluster-c', metadata: [] }),
        ...readAgain,
      ]),
    ],
  },
  {
    ...base,
    name: 'large-maps',
    decides: ['B503'],
    scenarios: [
      ...[33, 40, 56, 65, 129, 200].map((count) =>
        scenario(`${count} keys`, [
          create(),
          configure({ metadata: numbered('key', count) }),
          get(),
          list('CONFIGURED'),
        ]),
      ),
      scenario('a value of 64 KiB', [
        create(),
        configure({ metadata: [['long', 'é'.repeat(32 * 1024)]] }),
        get(),
      ]),
    ],
  },
  {
    ...base,
    name: 'no-aliasing',
    decides: ['B505'],
    scenarios: [
      scenario('later requests do not touch the stored map', [
        create(),
        configure({ metadata: [['mine', '1']] }),
        configure({
          metadata: [
            ['mine', '2'],
            ['theirs', '3'],
          ],
          token: token('fresh', 1),
        }),
        get(),
        configure({ metadata: [['mine', '4']], token: token('replay') }),
        get(),
        configure({ machine: 1, metadata: [['mine', '5']] }),
        create({ machine: 1 }),
        configure({ machine: 1, metadata: [['mine', '6']] }),
        get(0),
        get(1),
        list('CONFIGURED'),
      ]),
    ],
  },
];
