import { weaknessById } from '../packages/salvo-arena/src/match/weaknesses/weaknesses.ts';
import { createMutationRed } from '../packages/salvo-arena/src/red/mutation/create-mutation-red.ts';
import { operatorsFor } from '../packages/salvo-arena/src/red/operators/operators.ts';
import { allTasks } from '../packages/salvo-arena/src/tasks/tasks.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;

/** Which weaknesses Red plants, and how evenly: in about 460 flaws, and in one game of every kind for every task. */
export async function benchCoverage(): Promise<string[]> {
  const all = await plantedWeaknesses();
  const few = all.filter((_, at) => at % Math.ceil(all.length / 116) === 0);
  return [...coverageLines(few), ...coverageLines(all)];
}

/** The weaknesses of each game: every task in both languages at every difficulty. */
async function plantedWeaknesses(): Promise<string[][]> {
  const red = createMutationRed();
  const games: string[][] = [];
  for (const [seed, { id: task }] of allTasks().entries()) {
    for (const language of LANGUAGES) {
      for (const difficulty of DIFFICULTIES) {
        const request = { task, language, difficulty, provider: 'aws', strategy: 'balanced', seed } as const;
        const { vulnerabilities } = await red.generate(request);
        games.push(vulnerabilities.flatMap(({ weakness }) => (typeof weakness === 'string' ? [weakness] : [])));
      }
    }
  }
  return games;
}

function coverageLines(games: readonly (readonly string[])[]): string[] {
  const planted = games.flat();
  const operators = LANGUAGES.flatMap(operatorsFor).filter(({ housekeeping }) => !housekeeping);
  const plantable = new Set(operators.map(({ weakness }) => weakness));
  const counts = sortedCounts(planted);
  const categories = sortedCounts(planted.map((id) => weaknessById(id)?.category ?? ''));
  const shares = (all: [string, number][]) => all.map(([name, count]) => `${name} ${percent(count, planted.length)}`);
  return [
    `${planted.length} flaws in ${games.length} games: ${counts.length} of ${plantable.size} weaknesses`,
    `  most frequent: ${shares(counts.slice(0, 5)).join(', ')}`,
    `  categories: ${shares(categories).join(', ')}`,
  ];
}

function sortedCounts(items: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(items, (item) => item)].map(([name, all]): [string, number] => [name, all.length]);
  return counts.sort((a, b) => b[1] - a[1]);
}

function percent(count: number, total: number): string {
  return `${((100 * count) / total).toFixed(1)}%`;
}
