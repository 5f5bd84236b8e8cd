import { describe, expect, it, onTestFinished } from 'vitest';
import type { GetCall } from '../../model/call.js';
import { startProvider } from '../../src/provider/index.js';
import { LIST } from '../wire/raw-replies.js';
import { connect } from '../wire/servers.js';
import { proxyTo } from './proxies.js';

const GET: GetCall = { kind: 'Get', machineId: 'no-such-machine' };

async function provider() {
  const running = await startProvider({ addr: '127.0.0.1:0', seedCount: 2_000 });
  onTestFinished(() => running.stop());
  return running.address;
}

describe('gRPC through the chaos proxy', () => {
  it('works as without it, and takes at least its latency', async () => {
    const proxy = await proxyTo(await provider(), { latency: { minMs: 10, maxMs: 12 } });
    const client = connect(proxy.address);
    const { outcome } = await client.call(LIST);
    expect(outcome.kind === 'ok' && outcome.reply.machines.length).toBe(2_000);
    const { invokedAt, returnedAt, outcome: missing } = await client.call(GET);
    expect(missing).toMatchObject({ kind: 'rejected', code: 'NOT_FOUND' });
    expect(returnedAt - invokedAt).toBeGreaterThanOrEqual(20);
  });

  it('turns calls into indeterminate ones where connections are reset, and the client connects again', async () => {
    const proxy = await proxyTo(await provider(), { reset: 0.05 });
    const client = connect(proxy.address);
    const kinds = new Set<string>();
    for (let calls = 0; calls < 400 && kinds.size < 2; calls++) {
      const { outcome } = await client.call(GET);
      kinds.add(outcome.kind === 'indeterminate' ? outcome.cause : outcome.kind);
    }
    expect([...kinds].sort()).toEqual(['UNAVAILABLE', 'rejected']);
    expect(proxy.stats.resets).toBeGreaterThan(0);
  });

  it('lets calls miss their deadline during a partition, and answers again after it', async () => {
    const proxy = await proxyTo(await provider(), { partition: { lengthMs: 600, periodMs: 1_000 } });
    const client = connect(proxy.address);
    await expect
      .poll(async () => (await client.call(GET, { timeoutMs: 100 })).outcome, { timeout: 5_000, interval: 0 })
      .toMatchObject({ kind: 'indeterminate' });
    const healed = await client.call(GET, { timeoutMs: 5_000 });
    expect(healed.outcome).toMatchObject({ kind: 'rejected', code: 'NOT_FOUND' });
  });
});
