/** Where the providers of a run come from: a running one, a command that boots one, or the built-in one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Listing } from '../../model/call.js';
import { type ChaosOptions, ChaosSyntaxError, parseChaos, startChaosProxy } from '../chaos/index.js';
import type { ProgramLane } from '../engine/program-lane.js';
import { type BootOptions, type BootValues, boot, type Launcher, shellLauncher } from '../lanes/boot.js';
import { OwnedProcess } from '../lanes/owned-process.js';
import { seededRandom } from '../provider/random.js';
import { awaitReady, clientTls, ProviderClient, tlsOptionsProblem } from '../wire/index.js';
import type { CheckOptions } from './check-options.js';
import { UsageError } from './failure.js';

/** A provider that answers, and its first List. */
export interface Subject {
  readonly client: ProviderClient;
  readonly listing: Listing;
  readonly address: string;
  /** The last lines that it wrote, where its process is ours. */
  readonly log: () => readonly string[];
  stop(): Promise<void>;
}

/** Separate HTTP/2 connections to a provider. */
const CONNECTIONS = 4;
/** The built-in provider of the durable lane takes its time, so that a kill finds transitions under way. */
const CUT_LATENCY = '2..30ms';

/** Opens the providers that the lanes ask for. */
export class Supply {
  readonly bounds: BootOptions;
  private readonly chaos: ChaosOptions | null;

  constructor(private readonly options: CheckOptions) {
    if (options.target !== undefined && options.boot !== undefined) {
      throw new UsageError(
        '--target and --boot exclude each other: one says where the provider is, the other starts it',
      );
    }
    for (const [name, command] of [
      ['--boot', options.boot],
      ['--fault-boot', options.faultBoot],
    ] as const) {
      if (command !== undefined && !/\{(addr|port)\}/.test(command)) {
        throw new UsageError(
          `${name} must tell the provider where to listen: put {addr} or {port} into the command, as in '--addr={addr}'`,
        );
      }
    }
    if (
      options.boot !== undefined &&
      options.profile?.includes('durable') &&
      !options.boot.includes('{state}')
    ) {
      throw new UsageError(
        "--boot must tell the provider where to keep its state for the durable profile: put {state} into the command, as in '--state={state}'",
      );
    }
    const problem = tlsProblem(options);
    if (problem !== null) throw new UsageError(problem);
    this.chaos = badNetwork(options.chaos);
    this.bounds = {
      connections: CONNECTIONS,
      callTimeoutMs: options.callTimeout,
      bootTimeoutMs: options.bootTimeout,
      clock: () => performance.now(),
      sleep: (ms) => sleep(ms),
    };
  }

  /** How the reports name the provider under test; where faults alone are asked for, that is the fault-capable one. */
  get target(): string {
    const { target, boot, profile } = this.options;
    const onlyFaults = profile?.every((name) => name === 'fault') === true;
    const named = onlyFaults ? (this.options.faultTarget ?? this.options.faultBoot) : undefined;
    return named ?? target ?? boot ?? 'the built-in provider';
  }

  /** The options with which `bfcheck replay` meets the provider of a lane again. */
  replayWith(lane: ProgramLane): string {
    const { target, boot, faultTarget, faultBoot } = this.options;
    if (lane === 'fault' && faultTarget !== undefined)
      return `--fault-target ${faultTarget}${tlsWords(this.options)}`;
    if (lane === 'fault') return faultBoot === undefined ? '' : `--fault-boot '${faultBoot}'`;
    if (target !== undefined) return `--target ${target}${tlsWords(this.options)}`;
    return boot === undefined ? '' : `--boot '${boot}'`;
  }

  /** The provider of the black-box lane. */
  blackBox(): Promise<Subject> {
    return this.options.target === undefined
      ? this.booted(this.launcher([]), this.options.seedCount)
      : this.running(this.options.target);
  }

  /** The provider of the fault lane: the one named for it, else the built-in fault provider. */
  fault(): Promise<Subject> {
    const { faultTarget, faultBoot, faultSeedCount } = this.options;
    if (faultTarget !== undefined) return this.running(faultTarget);
    return this.booted(faultBoot === undefined ? this.faulty() : shellLauncher(faultBoot), faultSeedCount);
  }

  /** The provider to replay faults on: as in the lane, but one that was named at all goes before the built-in one. */
  faultAgain(): Promise<Subject> {
    const { target, boot, faultTarget, faultBoot } = this.options;
    const other = faultTarget === undefined && faultBoot === undefined;
    return other && (target !== undefined || boot !== undefined) ? this.blackBox() : this.fault();
  }

  /** Set where the fault lane runs on the built-in fault provider although another one is under test. */
  get faultStandIn(): string | null {
    const { faultTarget, faultBoot, target, boot: command } = this.options;
    const own =
      faultTarget !== undefined || faultBoot !== undefined || (target === undefined && command === undefined);
    return own
      ? null
      : 'ran on the built-in fault provider, not on yours: --fault-boot or --fault-target names one';
  }

  private faulty(): Launcher {
    return builtIn(['--fault', `--transition-timeout=${this.options.transitionTimeout}ms`, ...this.mutant()]);
  }

  /** How to start a process of our own with the provider under test, or null where only its address is known. */
  launch(lane: 'durable' | 'scale'): Launcher | null {
    if (this.options.target !== undefined) return null;
    return this.launcher(lane === 'durable' ? [`--latency=${CUT_LATENCY}`] : []);
  }

  private launcher(args: readonly string[]): Launcher {
    return this.options.boot === undefined
      ? builtIn([...args, ...this.mutant()])
      : shellLauncher(this.options.boot);
  }

  /** A bug of the built-in provider to check against, for the checker's own tests. */
  private mutant(): string[] {
    return this.options.mutant === undefined ? [] : [`--mutant=${this.options.mutant}`];
  }

  private async running(target: string): Promise<Subject> {
    return this.meet(target, { log: () => [], stop: async () => {} });
  }

  private async booted(launch: Launcher, seedCount: number): Promise<Subject> {
    const values: BootValues = { seedCount, state: '', provider: 'bfcheck' };
    const { client, listing, address, process: owned, stop } = await boot(launch, values, this.bounds);
    const log = (): readonly string[] => owned.log;
    if (this.chaos === null) return { client, listing, address, log, stop };
    client.close();
    return this.meet(address, { log, stop });
  }

  /** Meets a provider that is up, through a bad network where one was asked for. */
  private async meet(target: string, owner: Pick<Subject, 'log' | 'stop'>): Promise<Subject> {
    const { seed, bootTimeout } = this.options;
    const { chaos } = this;
    const network = chaos && (await startChaosProxy({ target, chaos, random: seededRandom(seed) }));
    const address = network?.address ?? target;
    const client = new ProviderClient({
      ...this.bounds,
      ...(await clientTls(this.options, target)),
      target: address,
      knownAs: target,
    });
    const stop = async (): Promise<void> => {
      client.close();
      await network?.stop();
      await owner.stop();
    };
    try {
      const listing = await awaitReady(client, { ...this.bounds, deadlineMs: bootTimeout });
      return { client, listing, address, log: owner.log, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  }
}

function badNetwork(faults: string | undefined): ChaosOptions | null {
  try {
    return faults === undefined ? null : parseChaos(faults);
  } catch (error) {
    throw error instanceof ChaosSyntaxError ? new UsageError(`--chaos: ${error.message}`) : error;
  }
}

/** The TLS options as they were given, for a command line. */
function tlsWords({ tls, tlsCa, tlsCert, tlsKey, tlsServerName }: CheckOptions): string {
  const files = [
    ['--tls-ca', tlsCa],
    ['--tls-cert', tlsCert],
    ['--tls-key', tlsKey],
    ['--tls-server-name', tlsServerName],
  ] as const;
  const words = files.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${value}`]));
  return tls ? [' --tls', ...words].join(' ') : '';
}

/** Providers that bfcheck starts are met on the loopback address, in plain text. */
function tlsProblem(options: CheckOptions): string | null {
  if (options.tls && options.target === undefined && options.faultTarget === undefined)
    return '--tls is for a provider that is running: give its address with --target';
  return tlsOptionsProblem(options, 'client');
}

/** The reference provider, as a child of this process that ends with it. */
export function builtIn(args: readonly string[]): Launcher {
  return (port, { seedCount, state, provider }) =>
    OwnedProcess.run(process.execPath, [
      fileURLToPath(new URL('./main.js', import.meta.url)),
      'serve',
      `--addr=127.0.0.1:${port}`,
      `--seed-count=${seedCount}`,
      `--provider=${provider}`,
      ...(state === '' ? [] : [`--state=${state}`]),
      '--until-stdin-closes',
      ...args,
    ]);
}
