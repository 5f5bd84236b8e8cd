import { defineArea } from './behavior.js';

/** B11xx: the contract at 10,000 to 100,000 machines (contract section 7, scale lane). */
export const SCALE = defineArea({ area: 'scale', phase: 5, profiles: ['scale'], capability: 'Scale' }, [
  {
    id: 'B1101',
    title:
      'With an inventory of 10,000 to 100,000 machines a full List returns every one, each within the field-shape and cost rules',
  },
  {
    id: 'B1102',
    title:
      'At scale, a delta List after a bounded batch of mutations returns exactly the machines mutated: none missing, none extra',
  },
  {
    id: 'B1103',
    title:
      'At scale, paging the whole fleet by max_results and revision yields the complete set over tens of thousands of machines: none twice, none skipped',
    reading: {
      literal: 'Paging by cursor loses no machine.',
      reference:
        'Pages may lose machines where every cursor, even that of a capped page, names the head of the log, provided that the delta without a cap is complete.',
    },
  },
  {
    id: 'B1104',
    title:
      'A continuous Configure and Drain churn over many cycles breaks no invariant of any machine and leaves no cluster or metadata behind at any return to Idle',
  },
  {
    id: 'B1105',
    title:
      'Over a soak of minutes the count of live machines is conserved (created equals deleted plus resident): none leaks, none vanishes',
  },
  {
    id: 'B1106',
    title:
      'Latency histograms are taken per RPC, and p99 of Get, List and Create stays within the declared budget at scale',
  },
  {
    id: 'B1107',
    title:
      'The cost of a full List stays within budget: its latency grows no worse than it should as the inventory grows from the base size to 100,000',
  },
  {
    id: 'B1108',
    title:
      'With K machines walked to Idle in parallel at scale, mutation throughput holds and every machine gets there with an operation_id of its own',
  },
  {
    id: 'B1109',
    title:
      'Throughout the soak, polling a sample of resting machines shows none drifting into a transitional state or FAILED without a client mutation',
  },
]);
