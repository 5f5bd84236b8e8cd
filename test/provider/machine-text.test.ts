/** A machine read back is the machine that was written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Kind, Machine, Spec, State } from '../../src/provider/machine.js';
import { machineFrom, machineText, specFrom, specText } from '../../src/provider/machine-text.js';

const KINDS: readonly Kind[] = ['Create', 'Configure', 'Drain', 'Delete'];
const STATES: readonly State[] = ['SPECULATIVE', 'CREATING', 'IDLE', 'CONFIGURED', 'DRAINING', 'FAILED'];

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', '\u0000', '\n', '\u2028', 'constructor'),
);
const map = fc.array(fc.tuple(text, text), { maxLength: 4 }).map((entries) => new Map(entries));
const operation = fc.record({ id: text, kind: fc.constantFrom(...KINDS) });
const count = fc.nat();

const spec: fc.Arbitrary<Spec> = fc.record({
  instanceType: text,
  zone: text,
  capacity: fc.constantFrom('SPOT', 'ON_DEMAND', 'RESERVED', 'BARE_METAL'),
  pricePerHour: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  interruptionProbability: fc.double({ min: 0, max: 1, noNaN: true }),
  resources: map,
  allocatable: map,
  labels: map,
});

const machine: fc.Arbitrary<Machine> = fc.record({
  id: text,
  spec,
  state: fc.constantFrom(...STATES),
  host: fc.option(fc.record({ provider: text, ref: text })),
  binding: fc.option(fc.record({ cluster: text, metadata: map })),
  lastError: text,
  carriedBy: fc.option(operation),
  led: fc.record({ Create: operation, Configure: operation, Drain: operation }, { requiredKeys: [] }),
  accepted: fc.record({ Create: count, Configure: count, Drain: count, Delete: count }),
  changedAt: count,
});

test('every machine survives being written', () => {
  fc.assert(
    fc.property(machine, (original) => {
      const specs = new Map([['its spec', specFrom(specText(original.spec))]]);
      const read = machineFrom(machineText(original, 'its spec'), specs);
      expect(read).toEqual(original);
      expect([...(read.binding?.metadata ?? [])]).toEqual([...(original.binding?.metadata ?? [])]);
    }),
  );
});

test('a machine whose spec is gone cannot be read', () => {
  const [original] = fc.sample(machine, { numRuns: 1, seed: 1 });
  if (original === undefined) throw new Error('no sample');
  expect(() => machineFrom(machineText(original, 'lost'), new Map())).toThrow(/unknown spec lost/);
});
