/** What a run leaves where GitHub Actions shows it: annotations in the log, and the step summary. */
import { appendFile } from 'node:fs/promises';
import { githubAnnotations } from './github.js';
import { reportMarkdown } from './markdown.js';
import type { Report } from './report.js';

/** The variables that tell of GitHub Actions. */
export interface GitHubEnvironment {
  readonly GITHUB_ACTIONS?: string | undefined;
  readonly GITHUB_STEP_SUMMARY?: string | undefined;
}

/** A step summary that is larger is refused as a whole, in bytes. */
const LARGEST_SUMMARY = 1024 * 1024;

/**
 * Writes annotations with `write` and adds the report to the step summary. Does nothing elsewhere than in GitHub
 * Actions. A summary that cannot be written is told in a warning: it must not decide how the run ends.
 */
export async function tellGitHub(
  report: Report,
  environment: GitHubEnvironment,
  write: (text: string) => void,
): Promise<void> {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  for (const line of githubAnnotations(report)) write(`${line}\n`);
  const file = environment.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const text = reportMarkdown(report);
  if (Buffer.byteLength(text) > LARGEST_SUMMARY) {
    write('::warning::the report is too long for a step summary: see report.md\n');
    return;
  }
  await appendFile(file, text).catch((error: NodeJS.ErrnoException) => {
    write(`::warning::the step summary could not be written (${error.code ?? 'unknown error'})\n`);
  });
}
