/** A fleet orders machines by their latest change, however many changes there were. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fleet } from '../../src/provider/fleet.js';
import { machineId, seed } from '../../src/provider/inventory.js';

/** Which machine changes next, and whether the fleet is first carried over into a new process. */
const changes = fc.array(fc.record({ n: fc.integer({ min: 1, max: 5 }), restarts: fc.boolean() }), {
  maxLength: 300,
});

test('every delta holds the machines that changed after it, in the order of their changes', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      let fleet = new Fleet();
      const log: string[] = [];
      for (const { n, restarts } of steps) {
        if (restarts) {
          const carried = new Fleet();
          carried.restore([...fleet.all()].reverse());
          fleet = carried;
        }
        const stamped = fleet.put(seed(n));
        log.push(stamped.id);
        expect(stamped.changedAt).toBe(log.length);
        expect(fleet.get(machineId(n))).toBe(stamped);
      }
      expect(fleet.head).toBe(log.length);
      expect(fleet.size).toBe(new Set(log).size);
      for (const revision of [0, log.length >> 1, log.length - 1, log.length]) {
        const latest = log.filter((id, at) => at >= revision && !log.includes(id, at + 1));
        expect([...fleet.changedAfter(revision)].map(({ id }) => id)).toEqual(latest);
      }
    }),
  );
});
