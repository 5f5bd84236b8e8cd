/** A headless Chromium, where this machine has one. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** CHROMIUM_PATH, or where Chromium usually is; null where there is none. */
export function chromiumPath(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  return USUAL_PATHS.find((path) => existsSync(path)) ?? null;
}

/** Starts it; the caller closes it. */
export function launch(executablePath: string): Promise<Browser> {
  // Containers run tests as root, where Chromium's own sandbox refuses to start.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 30_000 });
}
