import { CLI, measureProcess } from './measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from './scripted-project.ts';

const TRIALS = 1000;
const CONCURRENCY = 100;
const DELAY_MS = 500;

/** 1,000 trials that each wait half a second, a hundred at a time, against the time this takes if all else is free. */
export async function benchAgainstIdealTime(): Promise<string[]> {
  using project = scriptedProject({ delayMs: DELAY_MS });
  const options = { cwd: project.dir, expect: EITHER_VERDICT };
  const args = [CLI, 'run', project.scenario, '-c', String(CONCURRENCY)];
  const { seconds } = await measureProcess([...args, '-n', String(TRIALS)], options);
  const ideal = ((TRIALS / CONCURRENCY) * DELAY_MS) / 1000;
  return [
    `${TRIALS} trials of ${DELAY_MS} ms at concurrency ${CONCURRENCY}: ${seconds.toFixed(2)} s, ideal ${ideal.toFixed(2)} s: ${(seconds / ideal).toFixed(3)}x (aim: within 1.10x)`,
  ];
}
