import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { afterAll } from 'vitest';

/**
 * Without web security, the browser does not say where a write comes from, and the viewer refuses it. In a single process,
 * the whole browser ends with the first page that is closed.
 */
const UNWANTED = ['--disable-web-security', '--single-process'];

let browser: Promise<Browser> | undefined;

/** Chromium, started when a test file first needs it, and closed at its end. */
export function startedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

afterAll(async () => {
  const started = browser;
  browser = undefined;
  await (await started)?.close();
});

async function launch(): Promise<Browser> {
  const executablePath = join(await unpacked(), 'chromium');
  const args = chromium.args.filter((arg) => !UNWANTED.includes(arg));
  return playwright.launch({ executablePath, args, headless: true });
}

/** The package contains a compressed program. A folder that has its final name is complete. */
async function unpacked(): Promise<string> {
  const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = join(tmpdir(), `salvo-chromium-${version}`);
  const isThere = await stat(folder).catch(() => null);
  if (isThere) return folder;
  const own = await mkdtemp(join(tmpdir(), 'salvo-chromium-new-'));
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: own } });
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
  return folder;
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}

/** A page in a browser profile of its own. Disposing of it fails if the page reported an error meanwhile. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await startedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      if (problems.length > 0) throw new Error(`The page reported errors:\n${problems.join('\n')}`);
    },
  };
}
