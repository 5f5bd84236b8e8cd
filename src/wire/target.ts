import { EnvironmentError, quoteForeign } from './environment-error.js';

const HOST_PORT = /^(?<host>\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]|[\w.-]+):(?<port>\d{1,5})$/;
const UNIX_SOCKET = /^unix:.+$/;

/**
 * Turns what people write, `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`, into the URI that grpc-js resolves.
 * grpc-js alone is too lenient: it takes a missing port for 443 and a word before a colon for a scheme.
 *
 * @throws EnvironmentError when the target has another shape or a port outside 1..65535.
 */
export function parseTarget(target: string): string {
  if (UNIX_SOCKET.test(target)) {
    return target;
  }
  const port = Number(HOST_PORT.exec(target)?.groups?.port ?? 0);
  if (port < 1 || port > 65_535) {
    throw new EnvironmentError(
      `expected a target like 127.0.0.1:50051, [::1]:50051 or unix:/path, saw ${quoteForeign(target)}; ` +
        'give HOST:PORT with a port from 1 to 65535 and without http://',
    );
  }
  return `dns:${target}`;
}
