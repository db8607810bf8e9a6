import { sampleScenario } from '../../test/cli/sample-scenario.ts';
import { paidProject } from '../../test/faults/paid-server.ts';

/** A project whose run or experiment is disturbed. */
export interface ChaosProject {
  files: Record<string, string>;
  /** The command that starts it, and the one that prints what is stored of it. */
  run: string[];
  report: string[];
  /** Who is called once for each trial or game. */
  caller: 'agent' | 'red';
}

/** One trial in so many is judged by a model as well. */
const JUDGED = 10;
/** One trial in so many fails: its assertion asks for what the agent does not say, or the judge is against it. */
const FAILING = 3;

/** A run with so many trials, each with a number of its own, which all its calls name. */
export function chaosTrials(trials: number): ChaosProject & { passing: number } {
  const rows = Array.from({ length: trials }, (_, index) => rowOf(index + 1));
  const common = {
    ...{ adapter: 'openai', model: 'agent-model', script: undefined, prompt: 'Number {{n}}', min_pass_rate: 0.5 },
    // Long texts are stored once for all trials: workers may wait there for each other.
    system_prompt: 'You are a support agent. Look orders up before you act on them. '.repeat(30),
  };
  const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
  return {
    files: {
      'salvo.yaml': paidProject['salvo.yaml'].replace('k: 3', 'k: 1'),
      'said.yaml': sampleScenario({
        ...{ ...common, name: 'said', data: 'said.jsonl' },
        assertions: [{ type: 'output_contains', value: '{{wanted}}' }],
      }),
      'judged.yaml': sampleScenario({
        ...{ ...common, name: 'judged', data: 'judged.jsonl' },
        assertions: [{ type: 'judge', criteria }],
      }),
      'said.jsonl': jsonLines(rows.filter(({ n }) => n % JUDGED !== 0)),
      'judged.jsonl': jsonLines(rows.filter(({ n }) => n % JUDGED === 0)),
    },
    run: ['run', 'said.yaml', 'judged.yaml', '-n', '1', '--json'],
    report: ['report', 'latest', '--json'],
    caller: 'agent',
    passing: rows.filter(({ n }) => n % FAILING !== 0).length,
  };
}

function rowOf(n: number): { name: string; n: number; wanted: string } {
  return { name: `${n}`, n, wanted: n % FAILING === 0 ? 'No.' : `Number ${n}.` };
}

/** How many calls a trial needs. */
export function callsNeeded(n: number): number {
  return n % JUDGED === 0 ? 2 : 1;
}

function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** An experiment with so many games. All its teams and its judge are models. */
export function chaosGames(games: number): ChaosProject {
  const plan = {
    ...{ name: 'games', tasks: { sample: 1 }, repetitions: games, seed: 1 },
    ...{ red: ['llm:red-model'], blue: ['llm:blue-model'], llm: ['judge-model'], votes: 1, matcher: 'documented' },
  };
  return {
    files: { 'salvo.yaml': `default_adapter: openai\n${paidProject['salvo.yaml']}`, 'e.yaml': JSON.stringify(plan) },
    run: ['experiment', 'e.yaml', '--json'],
    report: ['experiment', '--show', 'latest', '--json'],
    caller: 'red',
  };
}
