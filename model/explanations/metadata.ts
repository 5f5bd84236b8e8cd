import type { METADATA } from '../registry/metadata.js';
import type { ExplanationsOf } from './explanation.js';

/** Why the behaviors of this area matter, which rule decides them, and how to keep them. */
export const METADATA_EXPLANATIONS: ExplanationsOf<typeof METADATA> = {
  B501: {
    why: 'The shard finds its own notes again by these keys after a restart. One key that was changed, dropped or trimmed and it does not know its machine any more.',
    rule: 'Section 2 (traps) and section 3 (binding): keys and values are any valid UTF-8 and come back byte for byte.',
    fix: 'Store the map as it is, in protobuf or as bytes. Cloud tags and Kubernetes labels are too narrow for it, and databases may refuse NUL or fold case.',
  },
  B502: {
    why: 'Keys of an earlier owner that show up in the next binding are taken for the notes of the new one. Work is then attributed to the wrong cluster.',
    rule: 'Section 3 (binding): cluster and map exist from Configure to the settled Drain and never merge with an earlier binding.',
    fix: 'Replace the map as a whole when Configure is accepted, and drop it as a whole with the Drain. Never copy new keys into the old map.',
  },
  B503: {
    why: 'A map that was cut in silence is worse than a refusal: the shard learns of the loss only when it needs what is missing.',
    rule: 'Section 9, A8 (sizes): verbatim, or INVALID_ARGUMENT with nothing applied.',
    fix: 'Document one limit for keys and bytes, check it before accepting, and name it in the message of the rejection.',
  },
  B504: {
    why: 'A shard that restarts while the machine is CONFIGURING recovers its notes from what it reads then. If they appear only later, it takes the machine for a stranger.',
    rule: 'Section 3, record table: in CONFIGURING the map of the accepted Configure is there, byte for byte.',
    fix: 'Write cluster and map together with the transitional state, before the ack, and not when the actuator returns.',
  },
  B505: {
    why: 'A provider that keeps a reference to the map of its caller changes the record of a machine when somebody else changes a variable.',
    rule: 'Section 3 (binding): what is stored is the map as it was sent with the accepted Configure.',
    fix: 'Copy the map when storing it and again when answering. In Go, maps.Clone at both borders, or proto.Clone of the whole message.',
  },
};
