/** `junit.xml`: one suite an area, one case a behavior, as GitLab, Jenkins and their like read it. */
import { create } from 'xmlbuilder2';
import { AREAS, type Area } from '../../model/registry.js';
import { visible } from './escape.js';
import { knownText } from './known.js';
import type { BehaviorReport, Report } from './report.js';
import { storyLines } from './story.js';

/** Longest text of one element or attribute, in UTF-16 units: CI servers hold whole reports in memory. */
const TEXT_LENGTH = 8192;

type Element = ReturnType<ReturnType<typeof create>['ele']>;
interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: 0;
  readonly skipped: number;
}

/**
 * The report as JUnit XML. Failed behaviors are failures; what was not decided (skipped, inconclusive, not
 * implemented) is skipped with the reason, so that a CI server never counts it as passed. XML 1.0 has no way to
 * write control characters and lone surrogates, so they are written out (`\x1b`).
 */
export function junitXml(report: Report): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('testsuites', {
    name: 'bfcheck',
    ...attributes(countsOf(report.behaviors)),
    time: seconds(report.duration_ms),
  });
  for (const area of AREAS) {
    const members = report.behaviors.filter((behavior) => behavior.area === area.id);
    if (members.length > 0) suite(root, area, members, report);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

function suite(root: Element, area: Area, members: readonly BehaviorReport[], report: Report): void {
  const element = root.ele('testsuite', {
    name: area.name,
    ...attributes(countsOf(members)),
    time: '0',
    timestamp: report.timestamp.replace(/(\.\d+)?Z$/, ''),
    hostname: text(report.target),
  });
  for (const behavior of members) testcase(element, behavior);
}

function testcase(element: Element, behavior: BehaviorReport): void {
  const { id, title, area, status, reason, required, known } = behavior;
  const item = element.ele('testcase', {
    name: `${id} ${text(title)}`,
    classname: `bfcheck.${area}`,
    time: '0',
  });
  const outcome = outcomeOf(behavior);
  if (outcome === 'failed') {
    const message = status === 'failed' ? reason : knownText(behavior);
    const failure = item.ele('failure', { message: text(message), type: required ? 'required' : 'optional' });
    if (behavior.counterexample) failure.txt(storyLines(behavior.counterexample).map(line).join('\n'));
  } else if (outcome === 'skipped') {
    const why =
      known !== null
        ? `${knownText(behavior)}: `
        : status === 'skipped'
          ? ''
          : `${status.replace('_', ' ')}: `;
    item.ele('skipped', { message: text(`${why}${reason}`) });
  }
}

/** What a CI server is told: a failure that is known is skipped, and one that should have failed and did not is a failure. */
function outcomeOf({ status, known, required }: BehaviorReport): 'passed' | 'failed' | 'skipped' {
  if (required && known === 'failing' && status === 'passed') return 'failed';
  if (status === 'failed') return known === null ? 'failed' : 'skipped';
  return status === 'passed' ? 'passed' : 'skipped';
}

function countsOf(behaviors: readonly BehaviorReport[]): Counts {
  const failures = behaviors.filter((behavior) => outcomeOf(behavior) === 'failed').length;
  const passed = behaviors.filter((behavior) => outcomeOf(behavior) === 'passed').length;
  return { tests: behaviors.length, failures, errors: 0, skipped: behaviors.length - failures - passed };
}

function attributes(counts: Counts): Record<string, string> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function text(words: string): string {
  return visible(words, TEXT_LENGTH);
}

/** Story lines are escaped already, but one line of ours may be long. */
function line(words: string): string {
  return text(words);
}
