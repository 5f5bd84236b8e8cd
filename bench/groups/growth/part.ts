import type { Figures } from '../../lib/settings.js';

/** What one kind of growth adds to the group. */
export type Part = Pick<Figures, 'rows' | 'plots'>;

/** Linear, with room for a machine that is busy with something else. */
export const LINEAR = 1.15;
/** Bytes. */
export const MIB = 1024 ** 2;
