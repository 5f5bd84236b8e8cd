/** Which violations a report tells, in which order, and which of them belong together. */
import type { Counterexample } from './counterexample.js';
import type { Report } from './report.js';

/** Violations of one rule in the same part of a reply: often one bug, seen in several behaviors. */
export interface Kind {
  readonly rule: Counterexample['rule'];
  /** Never empty; the one that explains the kind comes first. */
  readonly counterexamples: readonly Counterexample[];
}

/**
 * The counterexamples that count in the reading that decides. Those that decide the verdict come before those that do
 * not, one of every kind before the second of any, and what fails every time before what is flaky.
 */
export function toldIn(report: Report): readonly Counterexample[] {
  const counted = countedIn(report);
  const deciding = counted.filter((counterexample) => isDecided(report, counterexample));
  return [...oneOfEachFirst(deciding), ...oneOfEachFirst(asidesIn(report))];
}

/** The counterexamples of behaviors that this run was not asked to decide (`--only`, `--skip`, `--profile`). */
export function asidesIn(report: Report): readonly Counterexample[] {
  return countedIn(report).filter((counterexample) => !isDecided(report, counterexample));
}

/** The kinds of `counterexamples`, in the order of their first members. */
export function kindsOf(counterexamples: readonly Counterexample[]): readonly Kind[] {
  const kinds = new Map<string, Counterexample[]>();
  for (const counterexample of counterexamples) {
    const key = kindOf(counterexample);
    kinds.set(key, [...(kinds.get(key) ?? []), counterexample]);
  }
  return [...kinds.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [{ rule: first.rule, counterexamples: members }];
  });
}

/** What a counterexample breaks first of all. */
export function primaryOf({ behaviors, id }: Counterexample): string {
  return behaviors[0] ?? id;
}

function countedIn(report: Report): readonly Counterexample[] {
  const order = new Map(report.behaviors.map(({ id }, index) => [id, index]));
  const place = ({ behaviors }: Counterexample): number =>
    (behaviors[0] === undefined ? undefined : order.get(behaviors[0])) ?? order.size;
  return report.counterexamples
    .filter(({ reading }) => reading === 'both' || report.reading === 'literal')
    .toSorted((a, b) => Number(b.deterministic) - Number(a.deterministic) || place(a) - place(b));
}

function isDecided(report: Report, { behaviors }: Counterexample): boolean {
  return report.behaviors.some(
    ({ id, required, status }) => required && status === 'failed' && behaviors.includes(id),
  );
}

function oneOfEachFirst(counterexamples: readonly Counterexample[]): readonly Counterexample[] {
  const kinds = kindsOf(counterexamples).map((kind) => kind.counterexamples);
  return [...kinds.map((members) => members.slice(0, 1)), ...kinds.map((members) => members.slice(1))].flat();
}

/** Which code or state it was tells no two bugs apart; which field it was does. */
function kindOf({ rule, aspect }: Counterexample): string {
  const part = aspect.replace(/^snapshot /, '').replace(/^(code|state) .*$/, '$1');
  return `${rule.name} ${part}`;
}
