/** Fencing, step 2 of contract section 4. */
import { type Mutation, type Rejection, reject, type Token } from './call.js';
import type { Provider } from './provider.js';

/** The high-water marks. */
export class Marks {
  readonly #marks = new Map<string, Token>();

  constructor(marks: Iterable<readonly [string, Token]> = []) {
    for (const [key, token] of marks) this.#marks.set(key, token);
  }

  get(key: string): Token | undefined {
    return this.#marks.get(key);
  }

  set(key: string, token: Token): void {
    this.#marks.set(key, token);
  }
}

/** The token a call must pass the fence with; undefined where all three parts are zero or empty. */
export function tokenOf(call: Mutation): Token | undefined {
  const { shard, epoch, sequence } = call.token;
  return shard === '' && epoch === 0n && sequence === 0n ? undefined : call.token;
}

/** One mark per (shard, machine): encoded so that no two pairs share a key, whatever characters ids hold. */
export function markKey(token: Token, machineId: string): string {
  return JSON.stringify([token.shard, machineId]);
}

/** Whether a token is lexicographically strictly newer than the mark, or the first of all. */
export function passes(token: Token, mark: Token | undefined): boolean {
  if (mark === undefined || token.epoch > mark.epoch) return true;
  return token.epoch === mark.epoch && token.sequence > mark.sequence;
}

/** Lets a call pass and moves the mark to its token, or refuses it and leaves everything alone. */
export function fence(call: Mutation, provider: Provider): Rejection | undefined {
  const { policies, marks } = provider;
  const token = policies.tokenOf(call);
  if (token === undefined) return undefined;
  const key = policies.markKey(token, call.machineId);
  const mark = marks.get(key);
  if (!policies.passes(token, mark)) return fenced(token, mark);
  provider.mark(key, token);
  return undefined;
}

/** The refusal that pages a human at the shard; nothing else may use its code. */
export function fenced(token: Token, mark: Token | undefined): Rejection {
  const stands = mark === undefined ? 'no mark' : `the mark (${mark.epoch}, ${mark.sequence})`;
  const came = `(${token.epoch}, ${token.sequence})`;
  return reject('FAILED_PRECONDITION', `fenced: token ${came} is not newer than ${stands}`);
}
