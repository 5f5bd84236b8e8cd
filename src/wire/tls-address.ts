/** TLS to a server that is known by its address and has no name. */
import { checkServerIdentity, connect, type SecureContext } from 'node:tls';
import { CallCredentials, ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js';

type Connector = ReturnType<ChannelCredentials['_createSecureConnector']>;
type Target = Parameters<ChannelCredentials['_createSecureConnector']>[0];

/**
 * Credentials with which the server's certificate must be for an IP address, and no server name is sent. grpc-js sends
 * the address as the name, which RFC 6066 forbids, and Node.js warns of it on every run.
 */
export class AddressCredentials extends ChannelCredentials {
  /** @param address that the certificate must be for, IPv4 or IPv6 without brackets */
  constructor(
    private readonly context: SecureContext,
    private readonly address: string,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    _target: Target,
    _options: ChannelOptions,
    calls: CallCredentials = CallCredentials.createEmpty(),
  ): Connector {
    const { context: secureContext, address } = this;
    const handshake: Connector['connect'] = (socket) =>
      new Promise((resolve, reject) => {
        const secured = connect(
          {
            socket,
            secureContext,
            ALPNProtocols: ['h2'],
            checkServerIdentity: (_host, certificate) => checkServerIdentity(address, certificate),
          },
          () => resolve({ socket: secured, secure: true }),
        );
        secured.on('error', reject);
      });
    return {
      connect: handshake,
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => calls,
      destroy: () => undefined,
    };
  }
}
