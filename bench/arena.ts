import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRulesBlue } from '../packages/salvo-arena/src/blue/rules/rules-blue.ts';
import { missingCells } from '../packages/salvo-arena/src/experiment/plan/expand-plan.ts';
import { experimentSchema } from '../packages/salvo-arena/src/experiment/plan/experiment-schema.ts';
import { selectTasks } from '../packages/salvo-arena/src/experiment/plan/select-tasks.ts';
import { playGame } from '../packages/salvo-arena/src/game/play-game.ts';
import { truthGate } from '../packages/salvo-arena/src/game/truth-gate.ts';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { createMutationRed } from '../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import { CLI, measureProcess, median } from './measure-process.ts';

const GAMES = 1000;
const FEW = 200;
const ROUNDS = 5;

/** One offline game; then a thousand in an experiment, against the same games in a loop that stores and reports nothing. */
export async function benchArena(): Promise<string[]> {
  const single: number[] = [];
  await measureProcess([CLI, 'game', '--seed', '1']);
  for (let round = 0; round < ROUNDS; round += 1) {
    single.push((await measureProcess([CLI, 'game', '--seed', String(round)])).seconds);
  }
  const { seconds } = await measureExperiment(GAMES);
  const few = await measureExperiment(FEW, TIGHT);
  const many = await measureExperiment(GAMES, TIGHT);
  const bare = await bareLoop(GAMES);
  const growth = many.peakMegabytes / few.peakMegabytes;
  return [
    `one offline game ${median(single).toFixed(2)} s (aim: under 2 s)`,
    `${GAMES} offline games in an experiment ${seconds.toFixed(1)} s (aim: under 60 s); the same games in a bare loop ${bare.toFixed(1)} s: ${(seconds / bare).toFixed(2)}x`,
    `peak at ${FEW} games ${few.peakMegabytes.toFixed(0)} MB, at ${GAMES} ${many.peakMegabytes.toFixed(0)} MB: ${growth.toFixed(2)}x (aim: flat)`,
  ];
}

/** A hundred games, which are fifty tasks in two languages, so many times. */
function experimentOf(games: number) {
  return {
    name: 'bench',
    tasks: { sample: 50 },
    language: ['terraform', 'cloudformation'],
    repetitions: games / 100,
  };
}

/** With room to spare V8 does not tidy up, and the peak would tell how much room there was; without, it does little else. */
const TIGHT = ['--max-old-space-size=128'];

async function measureExperiment(games: number, nodeOptions: readonly string[] = []) {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-'));
  // YAML reads JSON.
  writeFileSync(join(dir, 'e.yaml'), JSON.stringify(experimentOf(games)));
  const args = [...nodeOptions, CLI, 'experiment', 'e.yaml'];
  const measured = await measureProcess(args, { cwd: dir, usage: true });
  rmSync(dir, { recursive: true });
  return measured;
}

async function bareLoop(games: number): Promise<number> {
  const file = experimentSchema.parse(experimentOf(games));
  const plan = { ...file, tasks: selectTasks(file.tasks ?? 'all', file.seed).tasks };
  const [red, blue, judge] = [createMutationRed(), createRulesBlue(), new JudgeAgent({ matcher: 'evidence' })];
  const gate = truthGate({ kind: 'rules' });
  const started = performance.now();
  const groups = missingCells({ plan, experimentId: 'bare', scored: new Set(), canRestore: async () => true });
  for await (const { cells } of groups) {
    for (const { task, difficulty, language, strategy, seed } of cells) {
      await playGame({ task, red, blue, difficulty, language, strategy, seed, gate, judge });
    }
  }
  return (performance.now() - started) / 1000;
}
