import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Measured {
  seconds: number;
  peakMegabytes: number;
}

export const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const REPORT_PEAK = new URL('./report-peak.ts', import.meta.url).href;

/** Runs Node on these arguments and waits for it; throws unless it exits with one of the codes expected. */
export async function measureProcess(
  args: string[],
  options: { cwd?: string; expect?: number[]; peak?: boolean } = {},
): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-'));
  const peakFile = join(dir, 'peak');
  const started = performance.now();
  const child = spawn(process.execPath, [...(options.peak ? ['--import', REPORT_PEAK] : []), ...args], {
    cwd: options.cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SALVO_BENCH_PEAK_FILE: peakFile },
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  if (!(options.expect ?? [0]).includes(code)) throw new Error(`node ${args.join(' ')} exited with ${code}`);
  const peakMegabytes = options.peak ? Number(readFileSync(peakFile, 'utf8')) / 1024 : Number.NaN;
  rmSync(dir, { recursive: true });
  return { seconds, peakMegabytes };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
