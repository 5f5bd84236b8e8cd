/** What a hostile case is, as data. */
import type { BehaviorId } from '../../model/registry.js';
import {
  type Front,
  grpcFront,
  type Http2FrontOptions,
  http2Front,
  type SpoilAnswer,
  type SpoilStream,
  type Strike,
} from './fronts.js';
import type { Upstream } from './upstream.js';

/** Where the misbehavior happens. */
export type Level = 'record' | 'protobuf' | 'http2' | 'tcp';

/** How a run against it must be classified. */
export type Expected =
  /** A violation; its first behavior is one of these, and so is that of every other violation found. */
  | { readonly kind: 'violation'; readonly of: readonly BehaviorId[] }
  /** No violation: replies were lost, nothing is held against the provider for it, and what was answered counts. */
  | { readonly kind: 'indeterminate' }
  /** INCOMPLETE: so much was lost that something required could not be decided, and the report says why. */
  | { readonly kind: 'undecided'; readonly why: RegExp }
  /** CERTIFIED: unusual, but allowed, and nothing is lost. */
  | { readonly kind: 'allowed' }
  /** Nothing was checked: one line says what is wrong around the provider. */
  | { readonly kind: 'environment'; readonly says: RegExp };

export interface HostileCase {
  readonly name: string;
  readonly level: Level;
  readonly does: string;
  readonly expected: Expected;
  /** Starts the server. */
  readonly start: (upstream: Upstream, strike: Strike) => Promise<Front>;
  /** More words of the command line. */
  readonly args?: readonly string[];
}

/** A violation of one of these behaviors. */
export const violates = (...of: readonly BehaviorId[]): Expected => ({ kind: 'violation', of });
export const LOST: Expected = { kind: 'indeterminate' };
export const undecided = (why: RegExp): Expected => ({ kind: 'undecided', why });
export const ALLOWED: Expected = { kind: 'allowed' };
export const environment = (says: RegExp): Expected => ({ kind: 'environment', says });

/** A case that spoils the answers of a gRPC server. */
export function answerCase(
  level: Level,
  name: string,
  does: string,
  expected: Expected,
  spoil: () => SpoilAnswer,
): HostileCase {
  return { name, level, does, expected, start: (upstream, strike) => grpcFront(upstream, spoil(), strike) };
}

/** A case that writes HTTP/2 by hand. */
export function streamCase(
  name: string,
  does: string,
  expected: Expected,
  spoil: () => SpoilStream,
  options?: Http2FrontOptions & { readonly args?: readonly string[] },
): HostileCase {
  return {
    name,
    level: 'http2',
    does,
    expected,
    start: (upstream, strike) => http2Front(upstream, spoil(), strike, options),
    ...(options?.args === undefined ? {} : { args: options.args }),
  };
}
