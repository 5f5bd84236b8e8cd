/** `badge.json`: the verdict as an endpoint badge of shields.io. */
import type { Verdict } from '../engine/status.js';
import { plural } from './call-text.js';
import { requiredFailures, unexpectedPasses } from './needs.js';
import type { Report } from './report.js';
import { selectionOf } from './scope.js';

/** The endpoint schema of shields.io; the field names are theirs. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

const COLORS: Readonly<Record<Verdict, string>> = {
  CERTIFIED: 'brightgreen',
  FAILED: 'red',
  INCOMPLETE: 'yellow',
};

/** The badge of a report. */
export function badgeOf(report: Report): Badge {
  return { schemaVersion: 1, label: 'bfcheck', message: messageOf(report), color: COLORS[report.verdict] };
}

function messageOf(report: Report): string {
  const { verdict, profiles } = report;
  const { decided, required } = selectionOf(report);
  if (verdict === 'CERTIFIED' && decided < required) return `passed: ${decided} of ${required} behaviors`;
  if (verdict === 'CERTIFIED') return `certified: ${profiles.join(', ')}`;
  if (verdict === 'FAILED') return failedText(report);
  return 'incomplete';
}

/** A failed upstream suite alone has no behavior to count. */
function failedText(report: Report): string {
  const count = requiredFailures(report).length + unexpectedPasses(report).length;
  return count === 0 ? 'failed' : `failed: ${plural(count, 'behavior')}`;
}

/** The badge as the text of `badge.json`. */
export function badgeJson(report: Report): string {
  return `${JSON.stringify(badgeOf(report), null, 2)}\n`;
}
