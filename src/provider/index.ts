/** The reference provider: an in-memory CapacityProvider written from the contract alone. */
export { findMutant, MUTANTS, type Mutant } from './mutants/index.js';
export type { Latency } from './policies.js';
export type { Scheduler } from './scheduler.js';
export { assemble, type ProviderOptions, type RunningProvider, startProvider } from './server.js';
export { handlers, SERVICE } from './service.js';
export type { Change, Store } from './store.js';
export { findVariant, VARIANTS, type Variant } from './variants/index.js';
