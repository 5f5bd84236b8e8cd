import type { FIELD_SHAPE } from '../registry/field-shape.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const FIELD_SHAPE_EXPLANATIONS: ExplanationsOf<typeof FIELD_SHAPE> = {
  B801: {
    why: 'The shard chooses machines by these fields. One without a type is never chosen, and a type hidden in a label can contradict the field that is acted upon.',
    rule: 'Section 3 (always): state is not UNSPECIFIED, instance_type is set, and no label has the bare name of instance type, zone or capacity type in any spelling.',
    fix: 'Fill the top-level fields from your catalogue, and leave those three out when copying tags to labels. Keys with a domain prefix are fine.',
  },
  B802: {
    why: 'Machines are chosen by price and risk. NaN wins or loses every comparison by accident, and a spot machine with risk zero looks better than a safe one.',
    rule: 'Section 3 (always): price finite and at least 0, interruption probability in [0,1] and above 0 for SPOT.',
    fix: 'Refuse to list a machine whose price you do not know instead of writing NaN or -1, and give spot a small default risk where no figure is to be had.',
  },
  B803: {
    why: 'host says whether money is being spent and cluster says for whom. Wrong in either, the machine is leaked or taken away from its user.',
    rule: 'Section 3, record table: host and cluster by state.',
    fix: 'Build the record from the state in one function, and check it in a test for every state over the whole inventory.',
  },
  B804: {
    why: 'The shard divides the two to learn how many workloads fit. An empty map or a quantity that cannot be read makes the machine look infinitely large or useless.',
    rule: 'Section 3 (always): where both are present, both are non-empty and their quotient can be computed as Kubernetes quantities.',
    fix: 'Write both with resource.Quantity and the same resource names, and leave a field out altogether where you have nothing to say. Leave out resources of zero: nothing can be divided by them.',
  },
  B805: {
    why: 'HostRef.provider names who owns the machine. When it changes, caches and bills are kept under two names for one machine.',
    rule: 'Section 3 (always): HostRef.provider is constant for a machine.',
    fix: 'Use one constant per provider process, taken from the configuration, and not the name of the node, the zone or the pod.',
  },
  B806: {
    why: 'Spread over zones and the choice between spot and on-demand both go by these fields. A machine without them lands in no bucket and is lost to planning.',
    rule: 'Section 3 (always): capacity_type is not UNSPECIFIED for a stable machine, and zone is set where a host is.',
    fix: 'Copy the zone from the instance when the host is set. Bare metal has a zone too: use the room or the rack.',
  },
  B807: {
    why: 'A slot that keeps the host of a machine which no longer exists looks billed, and traffic may be sent to an address that belongs to someone else by now.',
    rule: 'Section 3, record table: SPECULATIVE has no host, no cluster and no metadata.',
    fix: 'On completion of the Delete write a fresh Speculative record from the catalogue, keeping only the id.',
  },
};
