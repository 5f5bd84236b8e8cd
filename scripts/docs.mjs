/** Writes every generated document. Needs a build; `npm run docs` makes one first. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cliMarkdown, flagTables } from '../dist/src/cli/cli-doc.js';
import { configSchemaJson } from '../dist/src/cli/config-schema.js';
import { behaviorsMarkdown } from '../dist/src/report/behaviors-doc.js';
import { licensesMarkdown } from './licenses.mjs';

const root = new URL('../', import.meta.url);
const write = (name, text) => writeFileSync(new URL(name, root), text);

for (const folder of ['docs', 'schema']) mkdirSync(new URL(folder, root), { recursive: true });
write('docs/behaviors.md', behaviorsMarkdown());
write('docs/cli.md', cliMarkdown());
write('docs/licenses.md', licensesMarkdown());
write('schema/bfcheck.config.schema.json', configSchemaJson());

const readme = readFileSync(new URL('README.md', root), 'utf8');
write(
  'README.md',
  readme.replace(
    /(<!-- flags -->\n)[\s\S]*(<!-- end of flags -->)/,
    (_, begin, end) => `${begin}\n${flagTables()}\n\n${end}`,
  ),
);
