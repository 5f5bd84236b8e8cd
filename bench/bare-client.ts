/**
 * What the wire alone costs: sends recorded calls with the clients that grpc-js and the code generator give, at a
 * concurrency, and looks at nothing. Arguments: target, file of calls, concurrency. Output: calls a second.
 */
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import type { CallKind } from '../model/call.js';
import { CHANNEL_OPTIONS } from '../src/wire/channel-options.js';
import { CapacityProviderService } from '../src/wire/gen/provider.js';
import { recorded } from './lib/recording.js';

const [, , target = '', file = '', width = '16'] = process.argv;
const METHODS = {
  Create: CapacityProviderService.create,
  Configure: CapacityProviderService.configure,
  Drain: CapacityProviderService.drain,
  Delete: CapacityProviderService.delete,
  Get: CapacityProviderService.get,
  List: CapacityProviderService.list,
} as const;
const CONNECTIONS = 4;
const DEADLINE_MS = 20_000;

const clients = Array.from(
  { length: CONNECTIONS },
  () => new Client(target, credentials.createInsecure(), CHANNEL_OPTIONS),
);
const calls = (await recorded(file)).map(({ kind, request }) => ({
  kind,
  message: METHODS[kind].requestDeserialize(request),
}));

function send(client: Client, kind: CallKind, message: unknown): Promise<ServiceError | null> {
  const { path, requestSerialize, responseDeserialize } = METHODS[kind];
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      requestSerialize as (value: unknown) => Buffer,
      responseDeserialize as (bytes: Buffer) => unknown,
      message,
      { deadline: Date.now() + DEADLINE_MS },
      (error) => resolve(error),
    );
  });
}

const queue = calls.entries();
let lost = 0;
async function sendAll(): Promise<void> {
  for (const [index, { kind, message }] of queue) {
    const client = clients[index % CONNECTIONS];
    const error = client ? await send(client, kind, message) : null;
    if (error?.code === 14 || error?.code === 4) lost += 1;
  }
}

const warm = clients.map((client) => send(client, 'Get', { id: 'nobody' }));
await Promise.all(warm);
const [from, cpuFrom] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: Number(width) }, sendAll));
const wallMs = performance.now() - from;
const cpu = process.cpuUsage(cpuFrom);
for (const client of clients) client.close();
const cpuMs = (cpu.user + cpu.system) / 1000;
process.stdout.write(JSON.stringify({ calls: calls.length, wallMs, cpuMs, lost }));
