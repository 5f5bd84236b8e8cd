/** Bugs of operation ids and of the idempotency they stand for (contract section 4, steps 4 and 6). */
import type { Mutant } from '../alteration.js';

/** Operation id bugs. */
export const OPERATION_IDS: readonly Mutant[] = [
  {
    name: 'fresh-operation-id-on-retry',
    breaks: 'B206',
    says: 'A retry succeeds without a second effect, but with an operation id of its own.',
    alter: (base) => ({
      replay(call, machine, provider) {
        const operationId = base.replay(call, machine, provider);
        return operationId === undefined ? undefined : base.mint(call, machine, provider);
      },
    }),
  },
  {
    name: 'operation-id-reused-next-cycle',
    breaks: 'B214',
    says: 'The second Configure of a machine gets the operation id of its first.',
    alter: (base) => ({
      mint: (call, machine, provider) => machine.led[call.kind]?.id ?? base.mint(call, machine, provider),
    }),
  },
];
