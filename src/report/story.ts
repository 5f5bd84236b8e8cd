/** A counterexample as a story for somebody who has never seen bfcheck: what was done, what came back, what is wrong. */
import { behavior } from '../../model/registry.js';
import { type AlignedRow, alignedRows, stepLines, stepRows } from './call-text.js';
import type { Counterexample } from './counterexample.js';
import { visible } from './escape.js';

/** Longest observed or expected text in a story, in UTF-16 units. */
const QUOTE_LENGTH = 600;

/** A labelled line of the story. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

/** What a story consists of; every text is escaped and on one line. */
export interface Story {
  /** What is broken first of all, with its assertion. */
  readonly heading: { readonly id: string; readonly title: string };
  /** How the steps are to be read. */
  readonly intro: string;
  readonly steps: readonly AlignedRow[];
  readonly facts: readonly Fact[];
}

/** The story of `counterexample`. */
export function storyOf(counterexample: Counterexample): Story {
  const { behaviors, expected, observed, rule, property, replay, corpus_file: file } = counterexample;
  const [id = 'B1203', ...also] = behaviors;
  const facts: Fact[] = [
    { label: 'Provider answered', text: visible(observed, QUOTE_LENGTH) },
    { label: 'Contract allows', text: expected.map((text) => visible(text, QUOTE_LENGTH)).join(', or ') },
    { label: `Rule ${rule.section}`, text: `${rule.name}: ${rule.says}` },
    { label: 'Reproduced', text: reproducedText(counterexample) },
    ...(also.length > 0 ? [{ label: 'Also breaks', text: also.join(', ') }] : []),
    ...(counterexample.reading === 'literal'
      ? [{ label: 'Reading', text: 'the reference reading accepts this reply (--reading reference)' }]
      : []),
    { label: 'Found by', text: visible(property) },
    ...(file === null ? [] : [{ label: 'Saved in', text: visible(file) }]),
    ...(replay === null ? [] : [{ label: 'Replay', text: visible(replay) }]),
    { label: 'Explain', text: `npx bfcheck explain ${id}` },
  ];
  return {
    heading: { id, title: behavior(id).title },
    intro: introOf(counterexample),
    steps: alignedRows(stepRows(counterexample.calls)),
    facts,
  };
}

function introOf({ shrunk, calls }: Counterexample): string {
  if (calls.length === 0) return 'It shows over the whole lane, in no single sequence of steps.';
  const branches = new Set(calls.map(({ branch }) => branch).filter((branch) => branch >= 0)).size;
  const from = shrunk.from > shrunk.to ? `, shrunk from ${shrunk.from} to ${shrunk.to}` : '';
  const unfinished = shrunk.complete || shrunk.from <= shrunk.to ? '' : ' (budget spent, it may be shorter)';
  const together = branches > 1 ? `; ${branches} branches run at the same time (a, b, ...)` : '';
  return `Steps${from}${unfinished}${together}. A token is shown as (epoch,sequence).`;
}

/** Deterministic or flaky, with the numbers. */
export function reproducedText({ reproduced: { failed, of } }: Pick<Counterexample, 'reproduced'>): string {
  if (of === 0) return 'it was not run again';
  if (failed === of) return `deterministic: ${failed} of ${of} re-runs failed in the same way`;
  if (failed === 0)
    return `flaky: none of ${of} re-runs failed again; the steps are those of the first failure`;
  return `flaky: ${failed} of ${of} re-runs failed in the same way`;
}

/** The story as plain lines of any length, for reports that do not wrap. */
export function storyLines(counterexample: Counterexample): string[] {
  const { heading, intro, facts } = storyOf(counterexample);
  const width = labelWidth(facts);
  return [
    `${heading.id}: ${heading.title}`,
    '',
    intro,
    ...stepLines(counterexample.calls).map((line) => `  ${line}`),
    '',
    ...facts.map(({ label, text }) => `${label.padEnd(width)}  ${text}`),
  ];
}

/** The width of the column of labels. */
export function labelWidth(facts: readonly Fact[]): number {
  return Math.max(0, ...facts.map(({ label }) => label.length));
}
