import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUF = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'buf.cmd' : 'buf');

describe('the committed codec', () => {
  it('is what the proto generates today', { timeout: 60_000 }, (context) => {
    context.skip(!existsSync(BUF), 'buf is not installed, so the generated code cannot be compared');
    const output = mkdtempSync(join(tmpdir(), 'bfcheck-generate-'));
    onTestFinished(() => rmSync(output, { recursive: true, force: true }));
    execFileSync(BUF, ['generate', '--output', output], { cwd: ROOT, timeout: 50_000 });
    const generated = join('src', 'wire', 'gen', 'provider.ts');
    expect(readFileSync(join(output, generated), 'utf8')).toBe(readFileSync(join(ROOT, generated), 'utf8'));
  });
});
