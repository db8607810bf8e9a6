import { CLI, measureProcess } from './measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from './scripted-project.ts';

/** Peak memory of a run of 10,000 trials against one of 1,000: flat, or something is kept that should not be. */
export async function benchPeakMemory(): Promise<string[]> {
  const peaks: number[] = [];
  for (const trials of [1000, 10_000]) {
    using project = scriptedProject();
    const options = { cwd: project.dir, expect: EITHER_VERDICT, usage: true };
    peaks.push((await measureProcess([CLI, 'run', project.scenario, '-n', String(trials)], options)).peakMegabytes);
  }
  const [few = Number.NaN, many = Number.NaN] = peaks;
  return [
    `peak at 1,000 trials ${few.toFixed(0)} MB, at 10,000 ${many.toFixed(0)} MB: ${(many / few).toFixed(2)}x (aim: flat)`,
  ];
}
