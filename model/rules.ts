/** The rules of the contract, by the names under which expectations and violations speak of them. */

/** Each rule, with the section of the contract it comes from and what it asks in one sentence. */
export const RULES = {
  shape: {
    section: '4.1',
    says: 'a request with a defect of shape is answered INVALID_ARGUMENT and changes nothing',
  },
  capability: { section: '4.1', says: 'a provider without Delete answers every Delete UNIMPLEMENTED' },
  size: {
    section: '9 A8',
    says: 'an oversized map or blob is taken whole, or refused with INVALID_ARGUMENT or RESOURCE_EXHAUSTED',
  },
  omission: {
    section: '9 A10',
    says: 'without cluster_id or bootstrap_blob only the code discipline is judged',
  },
  fence: {
    section: '4.2',
    says: 'a token not strictly newer than the mark of its (shard, machine) is answered FAILED_PRECONDITION and nothing is applied; any other token passes',
  },
  existence: { section: '4.3', says: 'an unknown machine is NOT_FOUND, and nothing is created' },
  idempotency: {
    section: '4.4',
    says: 'a repeated call toward where the machine already is or goes answers OK with the same operation_id and changes nothing',
  },
  position: {
    section: '4.5',
    says: 'a call that does not start on its legal edge is rejected, never with FAILED_PRECONDITION, and the machine does not move',
  },
  terminal: { section: '3', says: 'a FAILED machine rejects every mutation and stays as it is' },
  accept: {
    section: '4.6',
    says: 'a call on its legal edge is accepted: OK, a fresh operation_id, and the machine enters the transitional state; Configure binds cluster and map at once',
  },
  lifecycle: {
    section: '3',
    says: 'a machine moves along the four legal edges and rests where the last accepted call led',
  },
  record: { section: '3', says: 'a record looks as its state demands' },
  read: { section: '4', says: 'Get and List answer, carry no token and are never fenced' },
  list: { section: '5', says: 'List answers the set that was asked for, nothing twice' },
  recovery: {
    section: '7',
    says: 'after a kill and a boot on the same state everything acknowledged is there, and a cut transition is FAILED or has come to rest',
  },
  cursor: { section: '5', says: 'a cursor gives what changed since, all of it and nothing else' },
} as const satisfies Record<string, { section: string; says: string }>;

/** The name of a rule. */
export type Rule = keyof typeof RULES;
