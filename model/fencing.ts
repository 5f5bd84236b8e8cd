/**
 * The fence (contract section 4.2): one high-water mark per (shard, machine), compared lexicographically and
 * exactly. A machine's marks are a small immutable map from shard to mark.
 */
import type { Token } from './call.js';

/** The highest token a shard has had accepted on one machine. */
export interface Mark {
  readonly epoch: bigint;
  readonly sequence: bigint;
  /** Whether the call that set it was carried out; a rejected call moves the mark all the same (B311). */
  readonly applied: boolean;
}
/** The marks of one machine, by shard id. */
export type Marks = ReadonlyMap<string, Mark>;

/** No shard has called yet. */
export const NO_MARKS: Marks = new Map();

/** How a token stands to its shard's mark. Everything but `absent`, `first` and the `newer-…` is fenced out. */
export type Relation =
  | 'absent'
  | 'first'
  | 'newer-sequence'
  | 'newer-epoch'
  | 'same'
  | 'older-sequence'
  | 'older-epoch';

/** All three fields zero or empty: no token, no fence. */
export function isAbsent(token: Token): boolean {
  return token.shard === '' && token.epoch === 0n && token.sequence === 0n;
}

/** No shard, yet numbers: the contract leaves open what this means (A4). */
export function isShardless(token: Token): boolean {
  return token.shard === '' && !isAbsent(token);
}

/** A shard with a negative number: a defect of shape (contract section 4.1, B211). */
export function isNegative(token: Token): boolean {
  return token.shard !== '' && (token.epoch < 0n || token.sequence < 0n);
}

/** Where `token` stands to the mark that its shard has among `marks`. */
export function relationOf(marks: Marks, token: Token): Relation {
  if (isAbsent(token)) return 'absent';
  const mark = marks.get(token.shard);
  if (mark === undefined) return 'first';
  if (token.epoch !== mark.epoch) return token.epoch > mark.epoch ? 'newer-epoch' : 'older-epoch';
  if (token.sequence === mark.sequence) return 'same';
  return token.sequence > mark.sequence ? 'newer-sequence' : 'older-sequence';
}

/** Whether a token so placed passes the fence. */
export function passes(relation: Relation): boolean {
  return (
    relation === 'absent' ||
    relation === 'first' ||
    relation === 'newer-sequence' ||
    relation === 'newer-epoch'
  );
}

/** The marks after `token` passed; `applied` says whether the call itself was carried out. */
export function moveMark(marks: Marks, token: Token, applied: boolean): Marks {
  if (isAbsent(token)) return marks;
  const moved = new Map(marks);
  moved.set(token.shard, { epoch: token.epoch, sequence: token.sequence, applied });
  return moved;
}

/** True where the same shards have the same high-water marks. */
export function sameMarks(a: Marks, b: Marks): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [shard, mark] of a) {
    const other = b.get(shard);
    if (other === undefined || other.epoch !== mark.epoch || other.sequence !== mark.sequence) return false;
  }
  return true;
}
