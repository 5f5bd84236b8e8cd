/** Writes the figures of bench/results.json into docs/performance.md, and draws its plots. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DRAWINGS, filled, PAGE } from './lib/page.js';
import { readResults } from './lib/results.js';
import { svg } from './lib/svg.js';

const results = await readResults();
await writeFile(PAGE, filled(await readFile(PAGE, 'utf8'), results));
const folder = join(dirname(PAGE), DRAWINGS);
await mkdir(folder, { recursive: true });
for (const plot of results.groups.flatMap(({ plots }) => plots))
  await writeFile(join(folder, `${plot.name}.svg`), svg(plot));
