/** Import arrows go one way, and the reference provider knows nothing of the oracle that judges it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Every layer and the other layers that it may import. Only the command line knows the provider. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  properties: ['model'],
  'src/wire': ['model'],
  'src/engine': ['model', 'properties', 'src/wire'],
  'src/lanes': ['model', 'properties', 'src/wire', 'src/engine'],
  'src/report': ['model', 'properties', 'src/wire', 'src/engine', 'src/lanes'],
  'src/provider': ['src/wire'],
  'src/chaos': ['src/wire'],
  'src/cli': [
    'model',
    'properties',
    'src/wire',
    'src/engine',
    'src/lanes',
    'src/report',
    'src/provider',
    'src/chaos',
  ],
  'src/library': ['model', 'properties', 'src/wire', 'src/engine', 'src/lanes', 'src/report', 'src/cli'],
};

/** The modules of the model that the wire may name: the words of the calls, and nothing that judges them. */
const WORDS_OF_THE_WIRE: ReadonlySet<string> = new Set(['model/call', 'model/record', 'model/machine']);

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** The layer that a file belongs to, or null for one of none, such as `test/…`. */
function layerOf(file: string): string | null {
  return Object.keys(ARROWS).find((layer) => file.startsWith(`${layer}/`)) ?? null;
}

const FROM = /(?:^|[;\n])\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/g;
const BARE = /(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** The project's own modules that a source imports, as paths from the root without their ending. */
function importsOf(file: string, source: string): Arrow[] {
  return [FROM, BARE, DYNAMIC]
    .flatMap((pattern) => [...source.matchAll(pattern)].map(([, module = '']) => module))
    .filter((module) => module.startsWith('.'))
    .map((module) => {
      const path = normalize(join(dirname(file), module))
        .split(sep)
        .join('/');
      return { from: file, to: path.replace(/\.[jt]s$/, '') };
    });
}

/** Why an import must not be, or null where it may. */
function objection({ from, to }: Arrow): string | null {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (source === null || source === target) return null;
  if (target === null) return `${from} imports ${to}, which is in no layer`;
  if (!ARROWS[source]?.includes(target)) return `${from} imports ${to}: ${source} must not know ${target}`;
  if (source === 'src/wire' && !WORDS_OF_THE_WIRE.has(to)) {
    return `${from} imports ${to}: the wire may name only ${[...WORDS_OF_THE_WIRE].join(', ')}`;
  }
  return null;
}

const files = ['model', 'properties', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.split(sep).join('/')}`),
);
const arrows = files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));

describe('the layers', () => {
  it('hold every source file', () => {
    expect(files.filter((file) => layerOf(file) === null)).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  it('import each other one way only', () => {
    expect(arrows.map(objection).filter((found) => found !== null)).toEqual([]);
    expect(arrows.length).toBeGreaterThan(200);
  });

  it('leave the reference provider to the command line', () => {
    const users = arrows.filter(
      ({ from, to }) => layerOf(to) === 'src/provider' && layerOf(from) !== 'src/provider',
    );
    expect([...new Set(users.map(({ from }) => layerOf(from)))]).toEqual(['src/cli']);
  });

  it('have no cycle', () => {
    const reaches = (layer: string): string[] =>
      (ARROWS[layer] ?? []).flatMap((next) => [next, ...reaches(next)]);
    for (const layer of Object.keys(ARROWS)) expect(reaches(layer)).not.toContain(layer);
  });
});

describe('the reading of imports', () => {
  it.each([
    ["import { a } from './b.js';", 'model/b'],
    ["import type { a } from '../src/provider/b.js';", 'src/provider/b'],
    ["import {\n  a,\n  type c,\n} from './b.js';", 'model/b'],
    ["export * from './b.js';", 'model/b'],
    ["export type { a } from './b.js';", 'model/b'],
    ["import './b.js';", 'model/b'],
    ["const b = await import('./b.js');", 'model/b'],
    ["type B = import('./b.js').B;", 'model/b'],
  ])('sees %j', (source, to) => {
    expect(importsOf('model/a.ts', source)).toEqual([{ from: 'model/a.ts', to }]);
  });

  it.each([
    ['model/a.ts', 'src/provider/b'],
    ['model/a.ts', 'properties/b'],
    ['properties/a.ts', 'src/engine/b'],
    ['properties/a.ts', 'src/provider/b'],
    ['src/provider/a.ts', 'model/b'],
    ['src/provider/a.ts', 'properties/b'],
    ['src/provider/a.ts', 'src/engine/b'],
    ['src/engine/a.ts', 'src/provider/b'],
    ['src/engine/a.ts', 'src/report/b'],
    ['src/engine/a.ts', 'src/lanes/b'],
    ['src/lanes/a.ts', 'src/provider/b'],
    ['src/lanes/a.ts', 'src/report/b'],
    ['src/report/a.ts', 'src/cli/b'],
    ['src/wire/a.ts', 'model/contract'],
    ['src/wire/a.ts', 'src/engine/b'],
    ['src/cli/a.ts', 'test/b'],
  ])('objects to %s knowing %s', (from, to) => {
    expect(objection({ from, to })).toContain(`${from} imports ${to}`);
  });
});
