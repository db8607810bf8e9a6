import { type Cell, expandPlan, gameId } from './expand-plan.ts';
import type { ExperimentPlan } from './experiment-plan.ts';

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
