import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlReport } from '../../src/report/html.js';
import { buildReport } from '../../src/report/json-report.js';
import { chromiumPath, launch } from './chromium.js';
import { HOSTILE, hostileViolation, negativeGrace, type RunParts, runOf, staleCreate } from './runs.js';

const path = chromiumPath();
const note = path === null ? ' (skipped: no Chromium here; install one or set CHROMIUM_PATH)' : '';
const DEADLINE_MS = 60_000;

describe.skipIf(path === null)(
  `report.html in Chromium${note}`,
  () => {
    let browser: Browser;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'bfcheck-html-'));
      browser = await launch(path ?? '');
    }, DEADLINE_MS);
    afterAll(async () => {
      await browser?.close();
      await rm(folder, { recursive: true });
    });

    /** Opens the page of a run from disk, and gathers what went wrong in it. */
    async function open(parts: RunParts, options: Parameters<Browser['newPage']>[0] = {}) {
      const report = buildReport(runOf(parts));
      const file = join(folder, 'report.html');
      await writeFile(file, htmlReport(report));
      const page = await browser.newPage(options);
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('dialog', (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!/^(file|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
      });
      await page.goto(pathToFileURL(file).href);
      return { page, problems, report };
    }

    async function textOf(page: Page, selector: string): Promise<string> {
      return (await page.locator(selector).allTextContents()).join(' ').replace(/\s+/g, ' ');
    }

    it('opens without a problem and says what report.json says', async () => {
      const { page, problems, report } = await open({ violations: [staleCreate(), negativeGrace()] });
      expect(JSON.parse((await page.locator('#report').textContent()) ?? '')).toEqual(
        JSON.parse(JSON.stringify(report)),
      );
      expect(await textOf(page, 'h1')).toContain(report.verdict);
      for (const behavior of report.behaviors) {
        const item = page.locator(`details#${behavior.id}`);
        expect(await item.getAttribute('data-status')).toBe(behavior.status);
        expect(await item.locator('.title').textContent()).toBe(behavior.title);
        if (behavior.reason !== '') expect(await item.locator('dl').textContent()).toContain(behavior.reason);
      }
      const violations = await textOf(page, 'article');
      for (const { observed, expected, replay } of report.counterexamples) {
        for (const words of [observed, ...expected, ...(replay === null ? [] : [replay])]) {
          expect(violations).toContain(words);
        }
      }
      for (const { call } of report.coverage.edges)
        expect(await textOf(page, 'svg[role=img]')).toContain(call);
      expect(problems).toEqual([]);
      await page.close();
    });

    it('shows hostile words and obeys none of them', async () => {
      const { page, problems } = await open({
        violations: [hostileViolation()],
        provider: HOSTILE,
        target: `x" onmouseover="alert(9)`,
      });
      expect(await textOf(page, 'h1')).toContain('<script>alert(1)</script>');
      expect(await page.locator('script').count()).toBe(2);
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('[onerror],[onmouseover]').count()).toBe(0);
      await page.locator('.call').first().hover();
      await page.locator('.call').first().focus();
      expect(await page.locator('.detail').first().textContent()).toContain('<script>alert(1)</script>');
      expect(problems).toEqual([]);
      await page.close();
    });

    it('refuses to run what was not written by bfcheck, even were it in the page', async () => {
      const { page, problems } = await open({});
      await page.evaluate(`
        const script = document.createElement('script');
        script.textContent = 'document.title = "owned"';
        document.body.append(script);
      `);
      expect(await page.title()).not.toBe('owned');
      expect(problems.join(' ')).toContain('Content Security Policy');
      await page.close();
    });

    it('lets the keyboard walk a timeline', async () => {
      const { page } = await open({ violations: [staleCreate()] });
      const detail = page.locator('.detail').first();
      await page.locator('.call[tabindex="0"]').first().focus();
      expect(await detail.textContent()).toContain('nothing explains this reply');
      await page.keyboard.press('Home');
      expect(await detail.textContent()).toContain('shard s0 (3,9223372036854775807)');
      await page.keyboard.press('ArrowRight');
      expect(await detail.textContent()).toMatch(/^Get +m0 -> OK CREATING/);
      expect(await page.locator('.call[tabindex="0"]').count()).toBe(1);
      await page.close();
    });

    it('filters behaviors and opens the one that a link names', async () => {
      const { page } = await open({ violations: [staleCreate()] });
      await page.locator('.filter input[value=failed]').uncheck();
      expect(await page.locator('details#B303').isVisible()).toBe(false);
      await page.evaluate('location.hash = "#B303"');
      await page.locator('details#B303[open]').waitFor({ timeout: 5000 });
      expect(await page.locator('details#B303').isVisible()).toBe(true);
      await page.close();
    });

    it.each(['light', 'dark'] as const)('fits a phone and can be read in %s', async (colorScheme) => {
      const { page } = await open(
        { violations: [staleCreate(), hostileViolation()] },
        { colorScheme, viewport: { width: 360, height: 740 } },
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      const brightness = async (property: string): Promise<number> => {
        const color = String(await page.evaluate(`getComputedStyle(document.body)['${property}']`));
        return (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
      };
      const contrast = (await brightness('color')) - (await brightness('backgroundColor'));
      expect(colorScheme === 'dark' ? contrast : -contrast).toBeGreaterThan(450);
      await page.close();
    });
  },
  DEADLINE_MS,
);
