import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/**
 * Not the package's own list: that one is for a cloud function, with everything in a single process, which ends when the
 * first page is closed, and with some of the web's security switched off.
 */
const ARGUMENTS = ['--no-sandbox', '--font-render-hinting=none', '--use-gl=angle', '--use-angle=swiftshader'];

/** Chromium from npm, which needs nothing else on the machine. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = join(await unpackedChromium(), 'chromium');
  return chromium.launch({ executablePath, args: ARGUMENTS, headless: true });
}

/** The folder of the program, which the package contains compressed. A folder that has its final name is complete. */
export async function unpackedChromium(): Promise<string> {
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
