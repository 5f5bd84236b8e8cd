import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CALM, startChaosProxy, type Timers } from '../../src/chaos/index.js';
import { deadTarget, startTcpServer } from '../wire/servers.js';
import { Conversation, proxyTo } from './proxies.js';

const echo = () => startTcpServer((socket) => socket.pipe(socket));

/** Time that stands still until it is told to move. */
function handTimers() {
  let now = 0;
  let tasks: { at: number; task: () => void }[] = [];
  const timers: Timers = {
    now: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task };
      tasks.push(entry);
      return () => {
        tasks = tasks.filter((other) => other !== entry);
      };
    },
  };
  const advance = (ms: number) => {
    const end = now + ms;
    for (;;) {
      const next = tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      now = Math.max(now, next.at);
      tasks = tasks.filter((other) => other !== next);
      next.task();
    }
    now = end;
  };
  return { timers, advance, waiting: () => tasks.length };
}

/** A proxy whose time is moved by hand, in front of an echo server that counts what reaches it. */
async function byHand(chaos: Parameters<typeof proxyTo>[1]) {
  let arrived = 0;
  const target = await startTcpServer((socket) => {
    socket.on('data', (bytes) => {
      arrived += bytes.length;
    });
    socket.pipe(socket);
  });
  const hand = handTimers();
  const proxy = await startChaosProxy({
    target,
    chaos: { ...CALM, ...chaos },
    random: { next: () => 0.5 },
    timers: hand.timers,
  });
  onTestFinished(() => proxy.stop());
  /** Waits for the chunk that a peer sent to be in the proxy. */
  const taken = (chunks: number) => expect.poll(() => proxy.stats.chunks, { timeout: 5_000 }).toBe(chunks);
  return { proxy, hand, taken, arrived: () => arrived };
}

describe('the chaos proxy', () => {
  it('carries bytes unchanged in both directions, and the ends of streams', async () => {
    const proxy = await proxyTo(await echo(), { latency: { minMs: 0, maxMs: 3 }, jitterMs: 3 });
    const peer = await Conversation.with(proxy.address);
    const sent = randomBytes(3_000_000);
    peer.socket.end(sent);
    expect(await peer.ending()).toBe('closed');
    expect(peer.received.equals(sent)).toBe(true);
    expect(proxy.stats).toMatchObject({ connections: 1, bytes: 2 * sent.length, resets: 0 });
  });

  it('holds every chunk back for its latency and jitter, in order', async () => {
    const { proxy, hand, taken, arrived } = await byHand({ latency: { minMs: 40, maxMs: 60 }, jitterMs: 20 });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write('one');
    await taken(1);
    hand.advance(59);
    expect(arrived()).toBe(0);
    hand.advance(1);
    await taken(2);
    peer.socket.write('two');
    await taken(3);
    hand.advance(60);
    await taken(4);
    hand.advance(60);
    expect(String(await peer.bytes(6))).toBe('onetwo');
  });

  it('resets both ends', async () => {
    let server: Socket | undefined;
    const target = await startTcpServer((socket) => {
      server = socket;
    });
    const proxy = await proxyTo(target, { reset: 1 });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write('x');
    expect(await peer.ending()).toBe('ECONNRESET');
    expect(proxy.stats).toMatchObject({ resets: 1, chunks: 1 });
    await expect.poll(() => server?.closed ?? true, { timeout: 5_000 }).toBe(true);
  });

  it('stalls one direction for a while and carries on', async () => {
    const { proxy, hand, taken, arrived } = await byHand({ stall: { chance: 1, ms: 500 } });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write('x');
    await taken(1);
    hand.advance(499);
    expect(arrived()).toBe(0);
    hand.advance(1);
    await taken(2);
    expect(peer.received).toHaveLength(0);
    hand.advance(500);
    await peer.bytes(1);
    expect(proxy.stats.stalls).toBe(2);
  });

  it('cuts the network at the end of every period, and heals it', async () => {
    const { proxy, hand, taken } = await byHand({ partition: { lengthMs: 200, periodMs: 1_000 } });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write('1');
    await peer.bytes(1);
    hand.advance(800);
    peer.socket.write('2');
    await taken(3);
    const late = await Conversation.with(proxy.address);
    late.socket.write('3');
    await taken(4);
    hand.advance(199);
    expect(peer.received).toHaveLength(1);
    hand.advance(1);
    await peer.bytes(2);
    await late.bytes(1);
    hand.advance(600);
    peer.socket.write('4');
    await peer.bytes(3);
    expect(proxy.stats.partitions).toBe(1);
    hand.advance(200);
    expect(proxy.stats.partitions).toBe(2);
  });

  it('makes a fast sender wait for a slow receiver', async () => {
    const { proxy, hand } = await byHand({ latency: { minMs: 1_000, maxMs: 1_000 } });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write(Buffer.alloc(64 * 1024 * 1024));
    await expect.poll(() => proxy.stats.bytes, { timeout: 5_000 }).toBeGreaterThan(4 * 1024 * 1024);
    expect(proxy.stats.bytes).toBeLessThan(16 * 1024 * 1024);
    expect(peer.socket.writableLength).toBeGreaterThan(0);
    hand.advance(1_000);
  });

  it('resets the client when the target refuses', async () => {
    const proxy = await proxyTo(await deadTarget());
    const peer = await Conversation.with(proxy.address);
    expect(await peer.ending()).toBe('ECONNRESET');
  });

  it('ends every socket and timer when it stops', async () => {
    const { proxy, hand, taken } = await byHand({
      latency: { minMs: 1_000, maxMs: 1_000 },
      partition: { lengthMs: 1, periodMs: 10 },
    });
    const peer = await Conversation.with(proxy.address);
    peer.socket.write('x');
    await taken(1);
    await proxy.stop();
    expect(await peer.ending()).toMatch(/closed|ECONNRESET/);
    expect(hand.waiting()).toBe(0);
  });

  it('refuses a malformed target', async () => {
    await expect(proxyTo('http://localhost:1')).rejects.toThrow(/HOST:PORT/);
  });
});
