import type { CONCURRENCY } from '../registry/concurrency.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const CONCURRENCY_EXPLANATIONS: ExplanationsOf<typeof CONCURRENCY> = {
  B401: {
    why: 'Retries meet the first attempt all the time. If two Creates both take effect, two instances are bought and one of them runs unseen.',
    rule: 'Section 6 (concurrency): identical racing retries are one effect and one operation_id.',
    fix: 'Decide and write the transitional state under one lock per machine, or as one compare-and-set in the store. Call the substrate after that, not before.',
  },
  B402: {
    why: 'A machine that is configured twice joins twice, or runs its bootstrap while the first run is still at work.',
    rule: 'Section 6 (concurrency): identical racing retries are one effect and one operation_id.',
    fix: 'Look for a running Configure under the machine lock and return its operation_id; start the actuator only where the transition was accepted.',
  },
  B403: {
    why: 'A second drain that starts late strikes the next owner of the machine, and a binding cleared by only one of the two may remain half there.',
    rule: 'Section 6 (concurrency) and section 3 (binding): one effect, one operation_id, and no binding once IDLE.',
    fix: 'Take the machine lock for the decision, and let only the worker of the accepted Drain write IDLE and clear the binding, in one write.',
  },
  B404: {
    why: 'When both of two contradicting calls succeed, two owners each believe that the machine is theirs.',
    rule: 'Section 6 (concurrency): calls on a machine take effect one at a time, and some order explains every reply and the final state.',
    fix: 'Check the position and enter the transitional state in one critical section. A check outside the lock is the usual cause.',
  },
  B405: {
    why: 'The moment when a shard is replaced is exactly when both are talking. If the old one wins a single race, it takes a machine away from the new one.',
    rule: 'Section 4, step 2 (fence), and section 6: comparing with the mark and moving it is one indivisible step.',
    fix: 'Compare and store the mark under one lock, or with a compare-and-set. Reading it first and writing it later lets both through.',
  },
  B406: {
    why: 'Behind a load balancer a retry rarely uses the connection of the first attempt. Deduplication per connection then deduplicates nothing.',
    rule: 'Section 6 (concurrency): the key is (machine, target), on whatever connection the calls came.',
    fix: 'Keep the idempotency record with the machine in shared state, not in the stream, the peer or an interceptor.',
  },
  B407: {
    why: 'A shard grows by many machines at once. If ids or effects mix, it waits for a machine that is long ready and uses one that is not.',
    rule: 'Section 4, step 6 (accept), and section 6: an operation_id for each accepted transition, and each machine on its own.',
    fix: 'Draw operation ids from a collision-free source and pass the machine id into the worker by value. In Go, look for loop variables and shared buffers.',
  },
  B408: {
    why: 'A snapshot whose state and binding are from different moments tells the shard of a machine that never existed, for example Configured for nobody.',
    rule: 'Section 6 (concurrency): the snapshot in an ack shows state and binding at one instant.',
    fix: 'Copy the record while the lock is held and build the reply from the copy. Do not read the live record field by field after unlocking.',
  },
  B409: {
    why: 'A Delete that runs twice can terminate the instance that was just bought for the same slot.',
    rule: 'Section 6 (concurrency): identical racing retries are one effect and one operation_id, for Delete too.',
    fix: 'Tie the termination to the instance that the accepted Delete saw, not to the machine id, and return the running operation to every retry.',
  },
};
