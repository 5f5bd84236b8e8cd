/** Keeps account of what is known of a program's own machines, for what Lists are held against. */
import type { Ack, Outcome } from '../../model/call.js';
import type { MachineRecord } from '../../model/record.js';
import type { Rule } from '../../model/rules.js';
import type { Standing, Standings } from '../../model/standing.js';
import { isResting, type Tenant } from './tenant.js';

interface Track {
  effects: number;
  touches: number;
  /** The last record that Get or List showed, null where a call may have changed the machine since. */
  record: MachineRecord | null;
}

export class StandingsTracker {
  private readonly tracks: ReadonlyMap<string, Track>;
  private latestChange: string | null = null;

  constructor(private readonly tenants: readonly Tenant[]) {
    this.tracks = new Map(tenants.map(({ id }) => [id, { effects: 0, touches: 0, record: null }]));
  }

  /** The machine that a call changed last. */
  get latest(): string | null {
    return this.latestChange;
  }

  /** A mutation was judged; `rule` is the one that explains its outcome, null where there are several. */
  called({ id }: Tenant, rule: Rule | null, outcome: Outcome<Ack>): void {
    if (outcome.kind === 'rejected' || (outcome.kind === 'ok' && rule === 'idempotency')) return;
    this.touched(id);
    const track = this.tracks.get(id);
    if (track === undefined || outcome.kind !== 'ok' || rule !== 'accept') return;
    track.effects += 1;
    this.latestChange = id;
  }

  /** The machine may have been changed. */
  touched(id: string): void {
    const track = this.tracks.get(id);
    if (track === undefined) return;
    track.touches += 1;
    track.record = null;
  }

  /** Get or List showed the machine. */
  seen(record: MachineRecord): void {
    const track = this.tracks.get(record.id);
    if (track !== undefined) track.record = record;
  }

  /** Every machine as it stands now. */
  now(): Standings {
    return new Map(this.tenants.map((tenant) => [tenant.id, this.standing(tenant)]));
  }

  private standing(tenant: Tenant): Standing {
    const { effects = 0, touches = 0, record = null } = this.tracks.get(tenant.id) ?? {};
    const { belief } = tenant;
    const resting = isResting(tenant) && belief.every(({ pending }) => pending.length === 0);
    // A machine may be known to rest without having been seen at rest: what it looks like is then unknown.
    const current = resting && belief.every(({ phase }) => phase === record?.state);
    return { effects, touches, resting, record: current ? record : null };
  }
}
