import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Measured {
  seconds: number;
  /** These only with `usage`, else NaN. */
  cpuSeconds: number;
  peakMegabytes: number;
  /** The most that was reachable in the heap. Only with `live`, because it is collected for that every other second. */
  liveMegabytes: number;
}

export const CLI = fileURLToPath(new URL('../packages/salvo/dist/cli/main.js', import.meta.url));
const REPORT_USAGE = fileURLToPath(new URL('./report-usage.cjs', import.meta.url));
const UNKNOWN = { cpuSeconds: Number.NaN, peakMegabytes: Number.NaN, liveMegabytes: Number.NaN };

interface MeasureOptions {
  cwd?: string;
  expect?: number[];
  usage?: boolean;
  live?: boolean;
  env?: Record<string, string>;
}

/** Runs Node on these arguments and waits for it; throws unless it exits with one of the codes expected. */
export async function measureProcess(args: string[], options: MeasureOptions = {}): Promise<Measured> {
  return await startMeasured(args, options).ended;
}

/** As `measureProcess`, for a process that goes on until it is stopped, as by Ctrl-C. */
export function startMeasured(
  args: string[],
  options: MeasureOptions = {},
): { stop: () => void; ended: Promise<Measured> } {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-'));
  const usageFile = join(dir, 'usage');
  const started = performance.now();
  const flags = options.usage ? [...(options.live ? ['--expose-gc'] : []), '--require', REPORT_USAGE] : [];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: options.cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...options.env, ...(options.usage && { SALVO_BENCH_USAGE_FILE: usageFile }) },
  });
  const ended = once(child, 'exit').then(([code]): Measured => {
    const seconds = (performance.now() - started) / 1000;
    if (!(options.expect ?? [0]).includes(code)) throw new Error(`node ${args.join(' ')} exited with ${code}`);
    const used = options.usage ? JSON.parse(readFileSync(usageFile, 'utf8')) : UNKNOWN;
    rmSync(dir, { recursive: true });
    return { seconds, ...used };
  });
  // Whoever awaits it later gets the error then.
  ended.catch(() => {});
  return { stop: () => void child.kill('SIGTERM'), ended };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
