import { readFile } from 'node:fs/promises';

/** The version in package.json, which lies two folders up from the sources and three from the build. */
export async function version(): Promise<string> {
  for (const up of ['../../../package.json', '../../package.json']) {
    const text = await readFile(new URL(up, import.meta.url), 'utf8').catch(() => null);
    if (text === null) continue;
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null && 'version' in found) return String(found.version);
  }
  return 'unknown';
}
