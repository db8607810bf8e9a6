import { seededRandom } from 'salvo/kit/stats';
import { contentHash } from 'salvo/kit/text';
import type { GamePlace } from '../../game/game-setup.ts';
import { type ExperimentPlan, gamesPlanned, runsOf } from './experiment-plan.ts';

/** One game to be played. */
export type Cell = ReturnType<typeof cellAt>;

/**
 * The games of an experiment, in an order that depends on its plan only. Blues and their runs vary fastest, so that the
 * games on one piece of code are next to each other and the code need not be kept for long. Repetitions vary slowest, so that an
 * experiment that is cut short has played a bit of everything.
 */
function* expandPlan(plan: ExperimentPlan): Generator<Cell> {
  const games = gamesPlanned(plan);
  for (let index = 0; index < games; index += 1) yield cellAt(plan, index);
}

/** One game of an experiment, by its place, from 0. */
export function cellAt(plan: ExperimentPlan, index: number) {
  let rest = index;
  const next = <T>(values: readonly T[]): T => {
    const value = values[rest % values.length];
    if (value === undefined) throw new RangeError(`The experiment has no game ${index}.`);
    rest = Math.floor(rest / values.length);
    return value;
  };
  const blue = next(plan.blue);
  const run = next([...Array(runsOf(plan)).keys()]);
  const red = next(plan.red);
  const strategy = next(plan.strategy);
  const usualLanguage = next(plan.language);
  const difficulty = next(plan.difficulty);
  const task = next(plan.tasks);
  const repetition = rest;
  const template = plan.own_code?.find(({ name }) => name === task);
  const language = template?.language ?? usualLanguage;
  const setting = [task, difficulty, language, strategy, repetition];
  /** Derived from the experiment's seed. */
  const seed = Math.floor(seededRandom(plan.seed, 'game', ...setting)() * 2 ** 31);
  const parts = [
    red,
    ...setting,
    plan.seed,
    plan.category ?? '',
    plan.flaws ?? 0,
    ...(plan.housekeeping ? ['housekeeping'] : []),
    ...sizeParts(plan),
  ];
  /** The same for all Blues that look at the same code. */
  const codeKey = contentHash(parts).slice(0, 16);
  return { index, task, red, blue, difficulty, language, strategy, repetition, run, seed, codeKey };
}

function sizeParts({ size, density }: ExperimentPlan): number[] {
  return size === undefined && density === undefined ? [] : [size ?? 0, density ?? 0];
}

/** The id of a game. Sorted as texts, ids of one experiment are in the order in which games were planned. */
export function gameId(experimentId: string, { index }: Pick<Cell, 'index'>): string {
  return `${experimentId}-${String(index + 1).padStart(7, '0')}`;
}

/** Where a game belongs. */
export function placeOfGame(experimentId: string, cell: Cell): GamePlace {
  const { codeKey, repetition, run } = cell;
  return { gameId: gameId(experimentId, cell), experimentId, codeKey, repetition, run };
}

export function indexOfGame(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1)) - 1;
}

/**
 * What is missing of an experiment, code by code. When code was lost and cannot be made again, all games on it are
 * played again: Blues may only be compared on the same code.
 */
export async function* missingCells(options: {
  plan: ExperimentPlan;
  experimentId: string;
  scored: ReadonlySet<string>;
  canRestore: (cell: Cell) => Promise<boolean>;
}): AsyncGenerator<{ codeKey: string; cells: Cell[] }> {
  const { plan, experimentId, scored, canRestore } = options;
  for (const group of codeGroups(plan)) {
    const [first] = group;
    const missing = group.filter((cell) => !scored.has(gameId(experimentId, cell)));
    if (!first || missing.length === 0) continue;
    const isRestorable = missing.length === group.length || (await canRestore(first));
    yield { codeKey: first.codeKey, cells: isRestorable ? missing : group };
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
