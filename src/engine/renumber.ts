/** Tokens of a program in plainer numbers. */
import { type ConcreteToken, type MutationStep, mutationOf, type Step } from '../../properties/program.js';

/** No token at all. */
export const NO_TOKEN: ConcreteToken = { shard: null, epoch: '0', sequence: '0' };

/** Epochs and sequences replaced by their rank, which keeps every comparison and loses the history behind it. */
export function renumbered(steps: readonly Step[]): Step[] {
  const tokens = steps.flatMap((step) => (isConcrete(step) ? [step.token] : []));
  const epochs = ranks(tokens.map(({ epoch }) => BigInt(epoch)));
  const sequences = ranks(tokens.map(({ sequence }) => BigInt(sequence)));
  return steps.map((step) => {
    if (!isConcrete(step) || step.token.shard === null) return step;
    const { shard, epoch, sequence } = step.token;
    return {
      ...step,
      token: { shard, epoch: epochs.get(epoch) ?? epoch, sequence: sequences.get(sequence) ?? sequence },
    };
  });
}

function ranks(values: readonly bigint[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(values.filter((value) => value > 0n))].sort((a, b) => (a < b ? -1 : 1));
  return new Map(sorted.map((value, i) => [String(value), String(i + 1)]));
}

/** Whether a step is a mutation whose token is in numbers. */
export function isConcrete(step: Step): step is MutationStep & { token: ConcreteToken } {
  return mutationOf(step) !== null && 'token' in step && 'epoch' in step.token;
}
