import { createHash } from 'node:crypto';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import type { Difficulty, Strategy } from '../../game-settings.ts';
import type { ExperimentPlan } from './experiment-plan.ts';

/** One game to be played. */
export interface Cell {
  /** Its place in the experiment, from 0. */
  index: number;
  task: string;
  red: string;
  blue: string;
  difficulty: Difficulty;
  language: CodeLanguage;
  strategy: Strategy;
  repetition: number;
  /** Of this game: drawn from the experiment's. */
  seed: number;
  /** The same for all Blues that look at the same code. */
  codeKey: string;
}

/**
 * The games of an experiment, in an order that depends on its plan only. Blues come last, so that the games on one
 * piece of code stand together and the code need not be kept for long; repetitions come first, so that an experiment
 * that is cut short has played a bit of everything.
 */
export function* expandPlan(plan: ExperimentPlan): Generator<Cell> {
  let index = 0;
  for (let repetition = 0; repetition < plan.repetitions; repetition += 1) {
    for (const task of plan.tasks) {
      for (const difficulty of plan.difficulty) {
        for (const language of plan.language) {
          for (const strategy of plan.strategy) {
            const drawn = [task, difficulty, language, strategy, repetition];
            const seed = Math.floor(seededRandom(plan.seed, 'game', ...drawn)() * 2 ** 31);
            for (const red of plan.red) {
              const codeKey = codeKeyOf([red, ...drawn, plan.seed, plan.category ?? '', plan.flaws ?? 0]);
              for (const blue of plan.blue) {
                yield { index, task, red, blue, difficulty, language, strategy, repetition, seed, codeKey };
                index += 1;
              }
            }
          }
        }
      }
    }
  }
}

/** Games of one experiment in the order they were planned, also when they are sorted as texts. */
export function gameId(experimentId: string, { index }: Pick<Cell, 'index'>): string {
  return `${experimentId}-${String(index + 1).padStart(7, '0')}`;
}

function codeKeyOf(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The games on one piece of code that are still to be played. */
export interface CodeGroup {
  codeKey: string;
  cells: Cell[];
  /** Games on it that are there already and stay. */
  kept: number;
}

/**
 * What is missing of an experiment, code by code. When code was lost that cannot be made again, the games on it are
 * played anew, all of them: Blues are compared on the same code, or not at all.
 */
export async function* missingCells(options: {
  plan: ExperimentPlan;
  experimentId: string;
  scored: ReadonlySet<string>;
  canComeBack: (cell: Cell) => Promise<boolean>;
}): AsyncGenerator<CodeGroup> {
  const { plan, experimentId, scored, canComeBack } = options;
  for (const group of codeGroups(plan)) {
    const [first] = group;
    const missing = group.filter((cell) => !scored.has(gameId(experimentId, cell)));
    if (!first || missing.length === 0) continue;
    const isWhole = missing.length === group.length || (await canComeBack(first));
    const cells = isWhole ? missing : group;
    yield { codeKey: first.codeKey, cells, kept: group.length - cells.length };
  }
}

function* codeGroups(plan: ExperimentPlan): Generator<Cell[]> {
  let group: Cell[] = [];
  for (const cell of expandPlan(plan)) {
    if (group[0] && group[0].codeKey !== cell.codeKey) {
      yield group;
      group = [];
    }
    group.push(cell);
  }
  if (group.length > 0) yield group;
}
