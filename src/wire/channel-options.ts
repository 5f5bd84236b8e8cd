import type { ChannelOptions } from '@grpc/grpc-js';

/** The largest reply that is read, in bytes after decompression: room for about two million machines. */
const LARGEST_REPLY_BYTES = 1024 ** 3;

/** How grpc-js must treat every connection to a provider. */
export const CHANNEL_OPTIONS: ChannelOptions = {
  // A pool of its own makes every channel open a socket of its own; by default equal channels share one.
  'grpc.use_local_subchannel_pool': 1,
  // A List of 100,000 machines is tens of MiB, and the default limit is 4. Some limit there must be: a hostile
  // provider can pack gigabytes of zeros into one small compressed message.
  'grpc.max_receive_message_length': LARGEST_REPLY_BYTES,
  'grpc.max_send_message_length': -1,
  // With HTTP/2's window of 64 KiB such a List crawls over any network with latency, and the provider looks slow.
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  // A mutation sent twice behind our back would be a second call that the history does not know.
  'grpc.enable_retries': 0,
  // Neither a proxy from the environment nor a config from DNS may come between bfcheck and the provider.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  // A provider that was killed and booted again must be found again within the second, not within minutes.
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.dns_min_time_between_resolutions_ms': 100,
};
