import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { contentHash } from '../../../text/canonical-json.ts';
import type { Difficulty } from '../../difficulty.ts';
import type { Strategy } from '../../strategy.ts';
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
  return contentHash(parts).slice(0, 16);
}
