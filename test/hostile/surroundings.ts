/** Cases in which there is no provider to speak of: nothing is checked, and one line says why. */
import http from 'node:http';
import net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { MachineList, MachineState } from '../../src/wire/gen/provider.js';
import { machineMessage } from '../wire/messages.js';
import { answerCase, environment, type HostileCase } from './case.js';
import { type Front, tcpFront } from './fronts.js';
import { OK } from './upstream.js';

/** The wait for a provider that never comes ends well within the time of the run. */
const QUICK = ['--call-timeout', '2s', '--boot-timeout', '10s'];

function tcp(name: string, does: string, says: RegExp, start: () => Promise<Front>): HostileCase {
  return {
    name,
    level: 'tcp',
    does,
    expected: environment(says),
    start: async (_upstream, strike) => {
      strike();
      return start();
    },
    args: QUICK,
  };
}

function listing(
  name: string,
  does: string,
  says: RegExp,
  answer: { code?: number; details?: string; body?: Buffer } | 'silence',
): HostileCase {
  const built = answerCase('record', name, does, environment(says), () => (passing, strike) => {
    if (passing.kind !== 'List') return passing;
    strike();
    return answer === 'silence' ? new Promise(() => undefined) : { ...passing, ...answer };
  });
  return { ...built, args: QUICK };
}

const failedFleet = Buffer.from(
  MachineList.encode({
    machines: Array.from({ length: 5 }, (_, n) =>
      machineMessage({ id: `m-${n}`, state: MachineState.MACHINE_STATE_FAILED, lastError: 'broken' }),
    ),
    revision: new Uint8Array(0),
  }).finish(),
);

export const SURROUNDING_CASES: readonly HostileCase[] = [
  tcp('nothing-listens', 'nothing listens there', /nothing listens on/, async () => {
    const front = await tcpFront(net.createServer());
    await front.stop();
    return { ...front, stop: async () => undefined };
  }),
  tcp('http-1', 'a web server of the old kind answers', /not a gRPC server/, () =>
    tcpFront(http.createServer((_request, response) => response.end('<html>hello</html>'))),
  ),
  tcp('ssh', 'a server for something else greets', /not a gRPC server/, () =>
    tcpFront(net.createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\u001b[31m\r\n'))),
  ),
  tcp('silence', 'connections are taken and nothing is said', /no HTTP\/2 connection came about/, () =>
    tcpFront(net.createServer(() => undefined)),
  ),
  tcp('closes-at-once', 'connections are taken and closed', /closes every connection/, () =>
    tcpFront(net.createServer((socket) => socket.destroy())),
  ),
  tcp(
    'noise',
    'connections are answered with noise',
    /not a gRPC server|no HTTP\/2 connection|closes every connection/,
    () => tcpFront(net.createServer((socket) => socket.write(Buffer.alloc(64 * 1024, 0xa5)))),
  ),
  tcp(
    'no-service',
    'a gRPC server has no such service',
    /no bigfleet\.v1alpha1\.CapacityProvider/,
    async () => {
      const server = new Server();
      const port = await new Promise<number>((resolve, reject) =>
        server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
          error ? reject(error) : resolve(bound),
        ),
      );
      return { address: `127.0.0.1:${port}`, stop: async () => server.forceShutdown() };
    },
  ),
  listing('list-silent', 'List never answers', /List did not answer within/, 'silence'),
  listing('list-denied', 'List is denied, with escapes in the text', /rejected with PERMISSION_DENIED/, {
    code: 7,
    details: '\u001b[2Jno <script>',
  }),
  listing('list-garbage', 'List answers with noise', /not a valid MachineList/, {
    code: OK,
    body: Buffer.from('\u001b[31mgarbage'),
  }),
  listing('list-bytes-cut', 'List is cut off', /not a valid MachineList/, {
    code: OK,
    body: Buffer.from([0x0a, 0x7f, 0x0a]),
  }),
  listing('fleet-empty', 'the fleet is empty', /at least \d+ machines/, { code: OK, body: Buffer.alloc(0) }),
  listing('fleet-failed', 'every machine is FAILED', /at least \d+ machines/, {
    code: OK,
    body: failedFleet,
  }),
];
