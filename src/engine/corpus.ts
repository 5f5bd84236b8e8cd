/** Counterexamples on disk: one JSON file each, holding the shrunk steps themselves, not a seed. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BehaviorId, isBehaviorId } from '../../model/registry.js';
import type { Program } from '../../properties/program.js';
import { quoteForeign } from '../wire/environment-error.js';
import type { ReportedViolation } from './events.js';
import { jsonText } from './json-text.js';
import { checkProgram, seen } from './program-schema.js';
import { writeAtomically } from './write-atomically.js';

/** A saved counterexample. */
export interface CorpusEntry {
  readonly schema_version: 1;
  readonly behavior: BehaviorId;
  readonly also: readonly BehaviorId[];
  readonly rule: string;
  readonly aspect: string;
  readonly expected: readonly string[];
  readonly observed: string;
  readonly property: string;
  readonly program: Program;
}

/** A corpus file that cannot be used; the message is one line and names the file. */
export class CorpusError extends Error {}

const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

/** Saves a violation in `folder`, named by behavior and content; the same counterexample is the same file. */
export async function saveToCorpus(folder: string, violation: ReportedViolation): Promise<string> {
  const [behavior, ...also] = violation.behaviors;
  // It becomes a part of a path.
  if (behavior === undefined || !isBehaviorId(behavior))
    throw new RangeError('a violation names at least one registered behavior');
  const { rule, aspect, expected, observed, property, program } = violation;
  const entry: CorpusEntry = {
    schema_version: 1,
    behavior,
    also,
    rule,
    aspect,
    expected,
    observed,
    property,
    program,
  };
  const content = createHash('sha256')
    .update(JSON.stringify([behavior, rule, aspect, program]))
    .digest('hex');
  const file = join(folder, `${behavior}-${content.slice(0, 10)}.json`);
  await mkdir(folder, { recursive: true });
  await writeAtomically(file, `${jsonText(entry, 2)}\n`);
  return file;
}

/**
 * The corpus files of `folder`, sorted by name; none where the folder does not exist.
 * @throws CorpusError where it is no folder, or cannot be read
 */
export async function corpusFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return [];
    throw new CorpusError(`${folder}: expected a folder of counterexamples that can be read, saw ${code}`);
  }
}

/**
 * Reads one corpus file.
 * @throws CorpusError where it cannot be read or is not a counterexample
 */
export async function readCorpus(file: string): Promise<CorpusEntry> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CorpusError(`${file}: cannot be read (${error.message})`);
  });
  if (text.length > LARGEST_FILE_BYTES) throw new CorpusError(`${file}: larger than any counterexample`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CorpusError(`${file}: not JSON (${quoteForeign(reason)})`);
  }
  return entryOf(data, file);
}

function entryOf(data: unknown, file: string): CorpusEntry {
  const fail = (what: string): never => {
    throw new CorpusError(`${file}: not a counterexample of bfcheck: ${what}`);
  };
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return fail('expected a JSON object');
  const entry = data as Readonly<Record<string, unknown>>;
  if (entry.schema_version !== 1) return fail(`expected schema_version 1, saw ${seen(entry.schema_version)}`);
  const { behavior, also, rule, aspect, expected, observed, property } = entry;
  if (typeof behavior !== 'string' || !isBehaviorId(behavior))
    return fail('"behavior" is not a registered behavior id');
  if (!isTexts(also) || !isTexts(expected)) return fail('"also" and "expected" must be lists of strings');
  if (![rule, aspect, observed, property].every((text) => typeof text === 'string')) {
    return fail('"rule", "aspect", "observed" and "property" must be strings');
  }
  const problem = checkProgram(entry.program);
  if (problem !== null) return fail(problem);
  return { ...(entry as unknown as CorpusEntry), also: also.filter(isBehaviorId) };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
