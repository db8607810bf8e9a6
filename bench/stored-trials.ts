import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, measureProcess, median } from './measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from './scripted-project.ts';

const ROUNDS = 5;
const TRIALS = 1000;

/** 1,000 scripted trials run, evaluated and stored, beyond what one trial takes; against files written one by one. */
export async function benchStoredTrials(): Promise<string[]> {
  const many: number[] = [];
  const one: number[] = [];
  const naive: number[] = [];
  let peak = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    using project = scriptedProject();
    const options = { cwd: project.dir, expect: EITHER_VERDICT };
    one.push((await measureProcess([CLI, 'run', project.scenario, '-n', '1'], options)).seconds);
    const run = await measureProcess([CLI, 'run', project.scenario, '-n', String(TRIALS)], { ...options, usage: true });
    many.push(run.seconds);
    peak = Math.max(peak, run.peakMegabytes);
    naive.push(writeNaively(project.dir));
  }
  const beyond = median(many) - median(one);
  const baseline = median(naive);
  return [
    `${TRIALS} trials ${median(many).toFixed(2)} s, 1 trial ${median(one).toFixed(2)} s: ${beyond.toFixed(2)} s beyond start-up (aim: 0.5 s), peak ${peak.toFixed(0)} MB (aim: 150 MB)`,
    `writing ${TRIALS} JSON files of that size, nothing else: ${baseline.toFixed(2)} s; ours is ${(beyond / baseline).toFixed(2)}x`,
  ];
}

/** What any tool that keeps its traces must do at the least. */
function writeNaively(dir: string): number {
  const trace = { messages: Array.from({ length: 6 }, () => ({ role: 'user', content: 'x'.repeat(500) })) };
  const started = performance.now();
  for (let trial = 0; trial < TRIALS; trial += 1) {
    writeFileSync(join(dir, `trace-${trial}.json`), JSON.stringify({ trial, ...trace }));
  }
  return (performance.now() - started) / 1000;
}
