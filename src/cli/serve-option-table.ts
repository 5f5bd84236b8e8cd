/** The options of `bfcheck serve`. */
import type { OptionSpec } from './option-spec.js';
import { SERVER_TLS_TABLE } from './tls-option-table.js';

export const SERVE_OPTION_TABLE: readonly OptionSpec[] = [
  {
    flags: '--addr <HOST:PORT>',
    says: 'where to listen',
    kind: { type: 'text' },
    fallback: '127.0.0.1:9000',
  },
  {
    flags: '--seed-count <number>',
    says: 'machines in the inventory',
    kind: { type: 'count', least: 0 },
    fallback: 256,
  },
  {
    flags: '--provider <name>',
    says: 'HostRef.provider of its machines',
    kind: { type: 'text' },
    fallback: 'reference',
  },
  {
    flags: '--latency <MIN..MAX>',
    says: 'how long a transition takes',
    kind: { type: 'range' },
    fallback: { minMs: 0, maxMs: 2 },
  },
  { flags: '--no-delete', says: 'answer every Delete with UNIMPLEMENTED', kind: { type: 'switch' } },
  {
    flags: '--state <PATH>',
    says: 'a folder in which the fleet survives the process',
    kind: { type: 'text' },
  },
  {
    flags: '--fault',
    says: 'fail where a client asks for it (clusters fault-error, fault-timeout, …)',
    kind: { type: 'switch' },
  },
  {
    flags: '--transition-timeout <time>',
    says: 'give a transition up after this time',
    kind: { type: 'time' },
  },
  {
    flags: '--mutant <name>',
    says: 'have this bug (bfcheck mutants lists them)',
    kind: { type: 'text' },
  },
  { flags: '--variant <name>', says: 'be unusual in this correct way', kind: { type: 'text' } },
  ...SERVER_TLS_TABLE,
  {
    flags: '--until-stdin-closes',
    says: 'end when standard input closes',
    kind: { type: 'switch' },
    hidden: true,
  },
];
