/** A broken network, between bfcheck and a provider. */
export { CALM, type ChaosOptions } from './options.js';
export { ChaosSyntaxError, parseChaos } from './parse.js';
export { type ChaosProxy, type ChaosProxyOptions, startChaosProxy } from './proxy.js';
export type { ChaosRandom } from './random.js';
export type { ChaosStats } from './stats.js';
export type { Timers } from './timers.js';
