import { describe, expect, it } from 'vitest';
import type { Program, Step } from '../../properties/program.js';
import { configure, create, drain, get, remove, token } from '../../properties/steps.js';
import { shrink } from '../../src/engine/shrink.js';

const BUDGET = { maxExecutions: 500, hasTime: () => true };
const program = (steps: readonly Step[], branches: Step[][] = []): Program => ({
  machines: 3,
  steps,
  branches,
});
const calls = ({ steps }: Program): string[] => steps.map(({ call }) => call);
const concrete = (shard: number, epoch: string, sequence: string) => ({ token: { shard, epoch, sequence } });

/** Whether `wanted` is a subsequence of the calls. */
function contains(candidate: Program, wanted: readonly string[]): boolean {
  const left = [...wanted];
  for (const call of calls(candidate)) if (call === left[0]) left.shift();
  return left.length === 0;
}

describe('shrinking', () => {
  it('keeps only the steps that the failure needs', async () => {
    const steps = [
      get(),
      create(),
      get(),
      configure(),
      get(),
      drain(),
      configure(),
      drain(),
      remove(),
      get(),
    ];
    const needed = ['Create', 'Configure', 'Delete'];
    const { program: small, complete } = await shrink(
      program(steps),
      async (p) => contains(p, needed),
      BUDGET,
    );
    expect(calls(small)).toEqual(needed);
    expect(complete).toBe(true);
  });

  it('drops two steps that only make sense together', async () => {
    const steps = [create(), configure(), get(), drain(), remove()];
    const balanced = async (p: Program): Promise<boolean> => {
      const count = (call: string): number => calls(p).filter((other) => other === call).length;
      return contains(p, ['Create', 'Delete']) && count('Configure') === count('Drain');
    };
    const { program: small } = await shrink(program(steps), balanced, BUDGET);
    expect(calls(small)).toEqual(['Create', 'Delete']);
  });

  it('renumbers machines, shards and tokens without changing how they compare', async () => {
    const steps = [
      create({ machine: 2, ...concrete(9, '70', '900') }),
      configure({ machine: 2, ...concrete(9, '70', '4611686018427387904') }),
    ];
    const newer = async ({ steps: [a, b] }: Program): Promise<boolean> => {
      if (!a || !b || !('token' in a && 'token' in b) || !('epoch' in a.token && 'epoch' in b.token))
        return false;
      return (
        a.token.shard !== null &&
        a.token.shard === b.token.shard &&
        BigInt(b.token.sequence) > BigInt(a.token.sequence)
      );
    };
    const { program: small } = await shrink(program(steps), newer, BUDGET);
    expect(small.machines).toBe(1);
    expect(small.steps).toMatchObject([
      { machine: 0, token: { shard: 0, epoch: '1', sequence: '1' } },
      { machine: 0, token: { shard: 0, epoch: '1', sequence: '2' } },
    ]);
  });

  it('makes arguments plain where they do not matter', async () => {
    const steps = [
      configure({
        cluster: 'other',
        metadata: [
          ['a', 'b'],
          ['c', 'd'],
        ],
        blobBytes: 4096,
        token: token('fresh', 2),
      }),
    ];
    const { program: small } = await shrink(program(steps), async (p) => contains(p, ['Configure']), BUDGET);
    expect(small.steps).toMatchObject([
      { cluster: 'cluster-a', metadata: [], blobBytes: 1, token: { shard: null, epoch: '0', sequence: '0' } },
    ]);
  });

  it('halves a map towards the one entry that matters', async () => {
    const metadata = Array.from({ length: 64 }, (_, i) => [`k${i}`, 'v'] as const);
    const guilty = async ({ steps: [step] }: Program): Promise<boolean> =>
      step?.call === 'Configure' && step.metadata.some(([key]) => key === 'k37');
    const { program: small } = await shrink(program([configure({ metadata })]), guilty, BUDGET);
    expect(small.steps).toMatchObject([{ metadata: [['k37', 'v']] }]);
  });

  it('drops branches of a race, and the race itself where it is none', async () => {
    const branches = [[create()], [configure(), get()], [drain()], [remove()]];
    const both = async (p: Program): Promise<boolean> =>
      p.branches.some((b) => b.some(({ call }) => call === 'Configure')) &&
      p.branches.some((b) => b.some(({ call }) => call === 'Drain'));
    const raced = await shrink(program([], branches), both, BUDGET);
    expect(raced.program.branches.map((b) => b.map(({ call }) => call))).toEqual([['Configure'], ['Drain']]);
    const sequential = await shrink(
      program([], branches),
      async (p) => JSON.stringify(p).includes('Drain'),
      BUDGET,
    );
    expect(sequential.program.branches).toEqual([]);
    expect(calls(sequential.program)).toEqual(['Drain']);
  });

  it('stops at its budget with the best so far, and says so', async () => {
    let executions = 0;
    const steps = Array.from({ length: 40 }, () => get());
    const fails = async (p: Program): Promise<boolean> => {
      executions += 1;
      return p.steps.length >= 7;
    };
    const result = await shrink(program(steps), fails, { maxExecutions: 3, hasTime: () => true });
    expect(executions).toBeLessThanOrEqual(3);
    expect(result.complete).toBe(false);
    expect(result.program.steps.length).toBeLessThan(40);
  });
});
