/** Turns the token classes of a program into numbers, given the marks as the model believes them. */
import { NO_TOKEN, type Token } from '../../model/call.js';
import type { Mark } from '../../model/fencing.js';
import type { ConcreteToken, StepToken, TokenClass } from '../../properties/program.js';

/** The largest int64. */
export const INT64_MAX = 2n ** 63n - 1n;
const PAST_INT32 = 2n ** 31n;
const PAST_DOUBLE = 2n ** 53n;

/** The marks that a resolution depends on. */
export interface MarksInSight {
  /** The mark of this shard on the machine called. */
  here(shard: string): Mark | undefined;
  /** A mark of this shard on another machine of the program. */
  elsewhere(shard: string): Mark | undefined;
}

/** Hands out the tokens of one program. Shard ids are the program's own, used by nobody before. */
export class TokenSource {
  private readonly sequences = new Map<string, bigint>();
  private strangers = 0;

  /** @param prefix what every shard id of the program starts with. */
  constructor(private readonly prefix: string) {}

  /** The id of a shard by its number in the program. */
  shardId(shard: number | null): string {
    return shard === null ? '' : `${this.prefix}-${shard}`;
  }

  /** The numbers that `token` stands for now. */
  resolve(token: StepToken, marks: MarksInSight): { token: Token; concrete: ConcreteToken } {
    const concrete = 'class' in token ? this.concrete(token.class, token.shard, marks) : token;
    const sent: Token = {
      shard: this.shardId(concrete.shard),
      epoch: BigInt(concrete.epoch),
      sequence: BigInt(concrete.sequence),
    };
    this.sequences.set(sent.shard, max(this.sequences.get(sent.shard) ?? 0n, sent.sequence));
    return { token: sent, concrete };
  }

  private concrete(kind: TokenClass, shard: number, marks: MarksInSight): ConcreteToken {
    const id = this.shardId(shard);
    const mark = marks.here(id);
    const of = (epoch: bigint, sequence: bigint): ConcreteToken => ({
      shard,
      epoch: String(epoch),
      sequence: String(sequence),
    });
    const fresh = () => this.fresh(shard, mark);
    switch (kind) {
      case 'none':
        return { shard: null, epoch: String(NO_TOKEN.epoch), sequence: String(NO_TOKEN.sequence) };
      case 'fresh':
        return fresh();
      case 'replay':
        return mark ? of(mark.epoch, mark.sequence) : fresh();
      case 'lower-sequence':
        return mark && mark.sequence > 0n ? of(mark.epoch, mark.sequence - 1n) : fresh();
      case 'lower-epoch':
        return mark && mark.epoch > 0n && mark.sequence < INT64_MAX
          ? of(mark.epoch - 1n, mark.sequence + 1n)
          : fresh();
      case 'higher-epoch':
        return mark && mark.epoch < INT64_MAX ? of(mark.epoch + 1n, 0n) : mark ? fresh() : of(2n, 1n);
      case 'past-int32':
        return this.past(PAST_INT32, shard, mark);
      case 'past-double':
        return this.past(PAST_DOUBLE, shard, mark);
      case 'extreme':
        return of(INT64_MAX, INT64_MAX);
      case 'zero':
        return of(0n, 0n);
      case 'other-shard':
        this.strangers += 1;
        return { shard: 100 + this.strangers, epoch: '1', sequence: '1' };
      case 'other-machine':
        return this.otherMachine(of, fresh, marks.elsewhere(id));
      case 'negative-epoch':
        return of(-1n, 1n);
      case 'negative-sequence':
        return of(1n, -1n);
      case 'shardless':
        return { shard: null, epoch: '1', sequence: String(this.next('')) };
    }
  }

  /** Newer than everything this shard has sent in the program; a worn-out shard is replaced by another one. */
  private fresh(shard: number, mark: Mark | undefined): ConcreteToken {
    const epoch = mark?.epoch ?? 1n;
    const sequence = max(this.next(this.shardId(shard)), (mark?.sequence ?? 0n) + 1n);
    if (sequence <= INT64_MAX) return { shard, epoch: String(epoch), sequence: String(sequence) };
    if (epoch < INT64_MAX) return { shard, epoch: String(epoch + 1n), sequence: '1' };
    this.strangers += 1;
    return { shard: 100 + this.strangers, epoch: '1', sequence: '1' };
  }

  private past(line: bigint, shard: number, mark: Mark | undefined): ConcreteToken {
    if (mark && mark.sequence >= line) return this.fresh(shard, mark);
    return { shard, epoch: String(mark?.epoch ?? 1n), sequence: String(line) };
  }

  /** A token that would be stale if marks were kept per shard only: the one used on another machine already. */
  private otherMachine(
    of: (epoch: bigint, sequence: bigint) => ConcreteToken,
    fresh: () => ConcreteToken,
    elsewhere: Mark | undefined,
  ): ConcreteToken {
    return elsewhere ? of(elsewhere.epoch, elsewhere.sequence) : fresh();
  }

  private next(shard: string): bigint {
    return (this.sequences.get(shard) ?? 0n) + 1n;
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
