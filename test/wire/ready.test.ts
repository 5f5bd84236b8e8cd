import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { EnvironmentError, quoteForeign } from '../../src/wire/environment-error.js';
import { MachineList } from '../../src/wire/gen/provider.js';
import { awaitReady } from '../../src/wire/ready.js';
import { parseTarget } from '../../src/wire/target.js';
import { machineMessage } from './messages.js';
import {
  connect,
  deadTarget,
  listen,
  startEmptyGrpcServer,
  startGrpcServer,
  startHttp2Server,
  startTcpServer,
} from './servers.js';

const clock = () => performance.now();
const listing = Buffer.from(
  MachineList.encode({ machines: [machineMessage()], revision: new Uint8Array([1]) }).finish(),
);

/** The environment error that waiting for this target ends with. */
async function complaint(target: string, deadlineMs: number): Promise<string> {
  const error: unknown = await awaitReady(connect(target), { deadlineMs, clock, sleep }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EnvironmentError);
  const message = error instanceof Error ? error.message : '';
  expect(message).not.toMatch(/[\n\r\u001b]/);
  expect(message).toContain(target);
  return message;
}

describe('awaitReady', () => {
  it('returns the first listing', async () => {
    const server = await startGrpcServer({ List: (_call, reply) => reply(null, listing) });
    const first = await awaitReady(connect(server.target), { deadlineMs: 5_000, clock, sleep });
    expect(first.machines.map((machine) => machine.id)).toEqual(['m-1']);
  });

  it('waits for a provider that is still booting', async () => {
    const target = await deadTarget();
    let pauses = 0;
    const boot = async () => {
      pauses += 1;
      if (pauses === 2) {
        await startGrpcServer({ List: (_call, reply) => reply(null, listing) }, target);
      }
    };
    const patience = async (ms: number) => {
      await boot();
      await sleep(ms);
    };
    await awaitReady(connect(target), { deadlineMs: 10_000, clock, sleep: patience });
    expect(pauses).toBeGreaterThanOrEqual(2);
  });

  it('waits while List is rejected', async () => {
    let lists = 0;
    const server = await startGrpcServer({
      List: (_call, reply) => {
        lists += 1;
        lists < 3 ? reply({ code: status.INTERNAL, details: 'recovering' }) : reply(null, listing);
      },
    });
    await awaitReady(connect(server.target), { deadlineMs: 10_000, clock, sleep });
    expect(lists).toBe(3);
  });

  it('says that nothing listens', async () => {
    expect(await complaint(await deadTarget(), 200)).toMatch(/nothing listens on .*start the provider/);
  });

  it('says that a server is not the service, at once', async () => {
    const server = await startEmptyGrpcServer();
    expect(await complaint(server.target, 600_000)).toMatch(/no bigfleet\.v1alpha1\.CapacityProvider/);
  });

  it('says that List never answers', async () => {
    const server = await startGrpcServer({ List: () => undefined });
    expect(await complaint(server.target, 100)).toMatch(/List did not answer within 100 ms/);
  });

  it('says with what List is rejected, without the control characters of the server', async () => {
    const server = await startGrpcServer({
      List: (_call, reply) => reply({ code: status.PERMISSION_DENIED, details: 'no\u001b[31m\nentry' }),
    });
    expect(await complaint(server.target, 200)).toMatch(/rejected with PERMISSION_DENIED/);
  });

  it('says that the reply to List is no message, at once', async () => {
    const server = await startGrpcServer({ List: (_call, reply) => reply(null, Buffer.from('garbage')) });
    expect(await complaint(server.target, 600_000)).toMatch(/not a valid MachineList/);
  });

  it.each([200, 404])('says that a server speaks HTTP/2 but not gRPC (%i), at once', async (httpStatus) => {
    const target = await startHttp2Server((stream) => {
      stream.respond({ ':status': httpStatus, 'content-type': 'text/html' });
      stream.end('<html>');
    });
    expect(await complaint(target, 600_000)).toMatch(/not a gRPC server/);
  });

  it('says that a server speaks HTTP/1 only, at once', async () => {
    const target = await listen(http.createServer((_request, response) => response.end('hello')));
    expect(await complaint(target, 600_000)).toMatch(/not a gRPC server/);
  });

  it('says that a server speaks something else, at once', async () => {
    const target = await startTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(await complaint(target, 600_000)).toMatch(/not a gRPC server/);
  });

  it('says that a server closes every connection', async () => {
    expect(await complaint(await startTcpServer((socket) => socket.destroy()), 200)).toMatch(
      /closes every connection .*TLS/,
    );
  });

  it('says that a host name cannot be resolved', async () => {
    expect(await complaint('no-such-host.invalid:5000', 200)).toMatch(/host name cannot be resolved/);
  });

  it('says that a server accepts and stays silent', async () => {
    expect(await complaint(await startTcpServer(() => undefined), 100)).toMatch(
      /no HTTP\/2 connection came about/,
    );
  });
});

describe('parseTarget', () => {
  it.each([
    '127.0.0.1:50051',
    'localhost:1',
    '[::1]:65535',
    'my-host.example.com:80',
    'unix:/tmp/provider.sock',
  ])('takes %s', (target) => {
    expect(parseTarget(target)).toContain(target);
  });

  it.each([
    '',
    'localhost',
    ':50051',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    'localhost:http',
    'http://localhost:1',
    '::1:50051',
    'a b:1',
    'localhost:1\n',
    'dns:///x:1',
  ])('refuses %j with an explanation', (target) => {
    expect(() => parseTarget(target)).toThrow(EnvironmentError);
    expect(() => parseTarget(target)).toThrow(/HOST:PORT/);
  });
});

describe('quoteForeign', () => {
  it('keeps one short line of visible characters', () => {
    expect(quoteForeign('a\u001b[2J\n"b"\u202E\u2028')).toBe('"a\uFFFD[2J\uFFFD\\"b\\"\uFFFD\uFFFD"');
    expect(quoteForeign('x'.repeat(1_000_000)).length).toBeLessThan(210);
  });
});
