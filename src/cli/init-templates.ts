/** What `bfcheck init` writes. */
import { CONFIG_OPTION_TABLE } from './config.js';
import { fallbackText, keyOf, type OptionSpec } from './option-spec.js';

const SCHEMA = './node_modules/bfcheck/schema/bfcheck.config.schema.json';
/** Examples for options without a default. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  target: 'localhost:9000',
  profile: ['core', 'cloud'],
  only: ['B3*', 'lifecycle'],
  skip: ['B210'],
  knownFailing: 'known-failing.txt',
  knownFlaky: 'known-flaky.txt',
  timeLimit: '20m',
  quiet: true,
  verbose: true,
  shardIdPrefix: 'my-client-',
  chaos: 'latency=5..50,reset=0.01',
  tls: true,
  tlsCa: 'ca.pem',
  tlsCert: 'client.pem',
  tlsKey: 'client-key.pem',
  tlsServerName: 'provider.example.com',
  baselineSrc: '../bigfleet',
  faultTarget: 'localhost:9001',
  faultBoot: './my-fault-provider --addr={addr} --seed-count={seed_count}',
};
const BOOT = './my-provider --addr={addr} --seed-count={seed_count}';

/** A config file that says how to boot a provider; everything else stands in comments with its default. */
export function configTemplate(): string {
  const groups = [...new Set(CONFIG_OPTION_TABLE.map(({ group }) => group ?? ''))];
  return [
    '// Options of bfcheck. What the command line says wins over this file; `npx bfcheck --help` explains more.',
    '{',
    `  "$schema": ${JSON.stringify(SCHEMA)},`,
    ...groups.flatMap((group) => [
      '',
      `  // === ${group.replace(/:$/, '')} ===`,
      ...CONFIG_OPTION_TABLE.filter((spec) => (spec.group ?? '') === group).flatMap(settingLines),
    ]),
    '}',
    '',
  ].join('\n');
}

function settingLines(spec: OptionSpec): string[] {
  const key = keyOf(spec);
  const says = `  // ${spec.says}`;
  if (key === 'boot') return [says, `  "boot": ${JSON.stringify(BOOT)},`];
  const fallback = spec.kind.type === 'count' ? spec.fallback : fallbackText(spec);
  const value = fallback ?? EXAMPLES[key] ?? '';
  return [says, `  // "${key}": ${JSON.stringify(value)},`];
}

/** A workflow for GitHub Actions that builds a provider, checks it and keeps the reports. */
export function workflowTemplate(version: string): string {
  return `# Checks the capacity provider of this repository with bfcheck.
name: bfcheck
on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22

      # Build your provider here, for a Go project:
      # - uses: actions/setup-go@v5
      #   with:
      #     go-version-file: go.mod
      # - run: go build -o my-provider ./cmd/my-provider

      # How it is started stands in bfcheck.config.json ("boot").
      - name: Check the provider
        run: npx --yes bfcheck@${version} --runs 2000

      - name: Keep reports and counterexamples
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: bfcheck
          path: |
            reports/
            seeds/
`;
}
