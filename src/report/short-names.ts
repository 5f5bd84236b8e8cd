/** Short names for the machines and shards of one sequence: real ids are long and say nothing to the reader. */
import type { Program, Step } from '../../properties/program.js';
import type { TraceEntry } from '../engine/trace.js';

export class ShortNames {
  private readonly machines = new Map<string, string>();
  private readonly shards = new Map<string, string>();

  /** Names what `program` numbers by those numbers, so that the report and the corpus file agree. */
  constructor(program: Program, trace: readonly TraceEntry[]) {
    for (const entry of trace) {
      const step = stepOf(program, entry);
      if (step === undefined || !('machine' in step) || entry.call.kind === 'List') continue;
      const { machine } = step;
      this.machines.set(entry.call.machineId, typeof machine === 'number' ? `m${machine}` : machine);
      if (!('token' in step) || !('token' in entry.call)) continue;
      const { shard } = step.token;
      if (shard !== null && entry.call.token.shard !== '')
        this.shards.set(entry.call.token.shard, `s${shard}`);
    }
  }

  /** A short name; ids that the program does not number are numbered as they come. */
  machine(id: string): string {
    return id === '' ? 'empty' : nameIn(this.machines, id, 'm');
  }

  shard(id: string): string {
    return nameIn(this.shards, id, 's');
  }
}

function nameIn(names: Map<string, string>, id: string, letter: string): string {
  const known = names.get(id);
  if (known !== undefined) return known;
  const taken = new Set(names.values());
  let number = 0;
  while (taken.has(`${letter}${number}`)) number += 1;
  const name = `${letter}${number}`;
  names.set(id, name);
  return name;
}

function stepOf(program: Program, { step, branch }: TraceEntry): Step | undefined {
  return branch < 0 ? program.steps[step] : program.branches[branch]?.[step];
}
