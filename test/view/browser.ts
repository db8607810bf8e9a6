import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchChromium, unpackedChromium } from './launch-chromium.ts';

// Here, where no time limit of a test ends it: on a new machine it takes a while.
await unpackedChromium();

let browser: Promise<Browser> | undefined;

/** Chromium, started when a test file first needs it, and closed at its end. */
function startedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}

afterAll(async () => {
  const started = browser;
  browser = undefined;
  await (await started)?.close();
});

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** After an error that was expected: the browser reports every refused request. */
  forgetProblems(): void;
}

/** A page in a browser profile of its own. Disposing of it fails if the page reported an error meanwhile. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await startedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  return {
    page,
    forgetProblems: () => {
      problems.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`);
    },
  };
}
