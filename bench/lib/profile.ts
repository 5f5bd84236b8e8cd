/** Reads a CPU profile of V8 and sums it up by what the code is for. */
interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}
/** A profile as `node --cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** What code is for, by where it lies; the first that fits. */
const PURPOSES = [
  ['generation of programs', /fast-check|pure-rand|\/properties\//],
  ['search for an order (races)', /\/engine\/(linearize|race)/],
  ['model', /\/model\//],
  ['bookkeeping of the engine and reports', /\/src\/(engine|lanes|report|cli)\//],
  ['codec and client', /\/src\/wire\/|@bufbuild\/protobuf/],
  ['grpc-js', /@grpc\/grpc-js/],
  ['HTTP/2, timers, streams of Node', /^node:/],
] as const;

/** Shares of the CPU, in percent, the largest first; time in which the process was idle is left out. */
export function byPurpose(profile: CpuProfile): readonly (readonly [purpose: string, percent: number])[] {
  return shares(profile, (node, parents) => purposeOf(node, parents));
}

/** Shares of the CPU by source file. */
export function byFile(profile: CpuProfile): readonly (readonly [file: string, percent: number])[] {
  return shares(profile, ({ callFrame: { url, functionName } }) =>
    url === '' ? functionName : url.replace(/^file:\/\//, '').replace(/^.*\/(node_modules|dist)\//, ''),
  );
}

type Parents = ReadonlyMap<number, Node>;

function shares(profile: CpuProfile, nameOf: (node: Node, parents: Parents) => string) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const times = new Map<string, number>();
  let total = 0;
  for (const [at, id] of profile.samples.entries()) {
    const node = byId.get(id);
    const time = profile.timeDeltas[at] ?? 0;
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    const name = nameOf(node, parents);
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  }
  return [...times]
    .map(([name, time]) => [name, (100 * time) / total] as const)
    .toSorted(([, a], [, b]) => b - a);
}

/** A builtin has no file: it works for whoever called it. */
function purposeOf(node: Node, parents: Parents): string {
  const { functionName, url } = node.callFrame;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'system calls and V8 itself';
  if (url !== '') return PURPOSES.find(([, where]) => where.test(url))?.[0] ?? 'everything else';
  const parent = parents.get(node.id);
  return parent === undefined ? 'everything else' : purposeOf(parent, parents);
}
