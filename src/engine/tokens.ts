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

/** A token whose shard is still a number of the program. */
interface Numbers {
  readonly shard: number | null;
  readonly epoch: bigint;
  readonly sequence: bigint;
}

/** Hands out the tokens of one program. Shard ids are the program's own, used by nobody before. */
export class TokenSource {
  private readonly sequences = new Map<string, bigint>();
  /** Every shard has one string: marks are looked up by it, and a string that is made anew is hashed anew. */
  private readonly ids = new Map<number | null, string>([[null, '']]);
  private strangers = 0;

  /** @param prefix what every shard id of the program starts with. */
  constructor(private readonly prefix: string) {}

  /** The id of a shard by its number in the program. */
  shardId(shard: number | null): string {
    const known = this.ids.get(shard);
    if (known !== undefined) return known;
    const id = `${this.prefix}-${shard}`;
    this.ids.set(shard, id);
    return id;
  }

  /** The numbers that `token` stands for now. */
  resolve(token: StepToken, marks: MarksInSight): { token: Token; concrete: ConcreteToken } {
    if (!('class' in token)) return { token: this.sent(numbersOf(token)), concrete: token };
    const numbers = this.numbers(token.class, token.shard, marks);
    return { token: this.sent(numbers), concrete: inDecimal(numbers) };
  }

  private sent({ shard: number, epoch, sequence }: Numbers): Token {
    const shard = this.shardId(number);
    if (sequence > (this.sequences.get(shard) ?? 0n)) this.sequences.set(shard, sequence);
    return { shard, epoch, sequence };
  }

  private numbers(kind: TokenClass, shard: number, marks: MarksInSight): Numbers {
    const id = this.shardId(shard);
    const mark = marks.here(id);
    const of = (epoch: bigint, sequence: bigint): Numbers => ({ shard, epoch, sequence });
    const fresh = () => this.fresh(shard, mark);
    switch (kind) {
      case 'none':
        return { shard: null, epoch: NO_TOKEN.epoch, sequence: NO_TOKEN.sequence };
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
        return this.stranger();
      case 'other-machine': {
        // Stale if marks were kept per shard only: the one used on another machine already.
        const elsewhere = marks.elsewhere(id);
        return elsewhere ? of(elsewhere.epoch, elsewhere.sequence) : fresh();
      }
      case 'negative-epoch':
        return of(-1n, 1n);
      case 'negative-sequence':
        return of(1n, -1n);
      case 'shardless':
        return { shard: null, epoch: 1n, sequence: this.next('') };
    }
  }

  /** Newer than everything this shard has sent in the program; a worn-out shard is replaced by another one. */
  private fresh(shard: number, mark: Mark | undefined): Numbers {
    const epoch = mark?.epoch ?? 1n;
    const sequence = max(this.next(this.shardId(shard)), (mark?.sequence ?? 0n) + 1n);
    if (sequence <= INT64_MAX) return { shard, epoch, sequence };
    if (epoch < INT64_MAX) return { shard, epoch: epoch + 1n, sequence: 1n };
    return this.stranger();
  }

  private past(line: bigint, shard: number, mark: Mark | undefined): Numbers {
    if (mark && mark.sequence >= line) return this.fresh(shard, mark);
    return { shard, epoch: mark?.epoch ?? 1n, sequence: line };
  }

  /** The first token of a shard that nobody has seen. */
  private stranger(): Numbers {
    this.strangers += 1;
    return { shard: 100 + this.strangers, epoch: 1n, sequence: 1n };
  }

  private next(shard: string): bigint {
    return (this.sequences.get(shard) ?? 0n) + 1n;
  }
}

function numbersOf({ shard, epoch, sequence }: ConcreteToken): Numbers {
  return { shard, epoch: BigInt(epoch), sequence: BigInt(sequence) };
}

function inDecimal({ shard, epoch, sequence }: Numbers): ConcreteToken {
  return { shard, epoch: String(epoch), sequence: String(sequence) };
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
