/** What `bfcheck explain ID` prints. Pure. */
import { explanationOf } from '../../model/explanations.js';
import { AREAS, type Behavior, type BehaviorId, behavior } from '../../model/registry.js';
import type { ExplainExample } from './gen/explain-examples.js';
import { hanging } from './layout.js';

/** What an explanation may draw on beside the registry. */
export interface ExplainSources {
  /** Names of the properties and lane cases that decide each behavior. */
  readonly deciders: ReadonlyMap<BehaviorId, readonly string[]>;
  /** A violation that was really found; absent where there is none. */
  readonly example?: ExplainExample;
  readonly columns?: number;
}

/** Everything a provider author needs to know about one behavior. */
export function explainText(id: BehaviorId, { deciders, example, columns = 100 }: ExplainSources): string {
  const entry = behavior(id);
  const { why, rule, fix } = explanationOf(id);
  const facts: [label: string, text: string][] = [
    ['Why it matters', why],
    ['The rule', rule],
    ['How to keep it', fix],
    ...readingFacts(entry),
    ['Required by', requiredText(entry)],
    ['Decided by', decidedText(id, deciders)],
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  return `${[
    ...hanging(`${id}  `, entry.title, columns),
    '',
    ...facts.flatMap(([label, text]) => [...hanging(`  ${label.padEnd(width)}  `, text, columns), '']),
    ...(example === undefined ? [] : exampleLines(example, columns)),
    `Check it alone: npx bfcheck --target HOST:PORT --only ${id}`,
  ].join('\n')}\n`;
}

function readingFacts({ reading }: Behavior): [string, string][] {
  if (reading === null) return [];
  return [
    ['Literal reading', `${reading.literal} (decides unless --reading reference)`],
    ['Reference reading', reading.reference],
  ];
}

function requiredText({ profiles, capability, area }: Behavior): string {
  const name = AREAS.find(({ id }) => id === area)?.name ?? area;
  const needs = capability === null ? '' : `; skipped without the capability ${capability}`;
  return `the ${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}${needs}. Area: ${name} (${area})`;
}

function decidedText(id: BehaviorId, deciders: ExplainSources['deciders']): string {
  const names = deciders.get(id) ?? [];
  return names.length === 0 ? 'no property yet: reports say not implemented' : names.join(', ');
}

/** The bug in words, then the story as the terminal shows it. */
function exampleLines({ says, lines }: ExplainExample, columns: number): string[] {
  const end = lines.indexOf('');
  const facts = end < 0 ? lines : lines.slice(end + 1);
  return [
    ...hanging('  What a violation looks like  ', `A provider with a bug: ${says}`, columns),
    '',
    ...lines.slice(0, Math.max(0, end)).map((line) => `    ${line}`),
    ...(end < 0 ? [] : ['']),
    ...facts.flatMap((line) => factLines(line, columns)),
    '',
  ];
}

/** A label, two spaces or more, and a text that may be long. */
function factLines(line: string, columns: number): string[] {
  const [, label = '', text = ''] = /^(.*?\S {2,})(.*)$/.exec(line) ?? ['', '', line];
  return hanging(`    ${label}`, text, columns);
}
