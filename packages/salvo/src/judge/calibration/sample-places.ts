import { weightedMean } from '../../stats/weighted-mean.ts';
import type { Comparison, SamplePlace } from './comparison.ts';

/** What is known of a labelled item. */
export interface PlacedItem {
  /** The scenario that the label names. */
  scenario: string | null;
  /** The case that it is of; null if unknown. */
  case: string | null;
  task: string | null;
  /** The same for equal answers; null if unknown. */
  answer: string | null;
  /** How many trials it stands for; null if it was not drawn. */
  weight: number | null;
}

/**
 * The place of every item. Items are of one case if they name the same one, else if they have the same task. A scenario
 * whose labels are all of one task is about that task alone, as a scenario without data is: its trials are independent.
 */
export function samplePlaces(items: readonly PlacedItem[]): SamplePlace[] {
  const tasks = new Map<string | null, Set<string | null>>();
  for (const { scenario, task } of items) tasks.set(scenario, (tasks.get(scenario) ?? new Set()).add(task));
  return items.map((item) => {
    const { scenario, task, answer, weight } = item;
    const own = item.case !== null ? ['case', item.case] : task === null ? null : ['task', task];
    const isOnlyTask = item.case === null && tasks.get(scenario)?.size === 1;
    return {
      cluster: own === null || isOnlyTask ? null : JSON.stringify([scenario, ...own]),
      copy: answer === null ? null : JSON.stringify([scenario, item.case, task, answer]),
      weight,
    };
  });
}

/**
 * Copies of one answer as one comparison: the verdicts of most people and of most judgements, of which a tie is none and
 * a failure, and the votes of the first. It stands for all trials that its copies were drawn for.
 */
export function joinCopies(comparisons: readonly Comparison[]): Comparison[] {
  const groups = Map.groupBy(comparisons, ({ sample }, index) => sample?.copy ?? index);
  return [...groups.values()].flatMap((copies): Comparison[] => {
    const [first] = copies;
    if (!first || copies.length === 1) return copies;
    const said = copies.flatMap(({ human }) => human.passed ?? []);
    const people = said.filter(Boolean).length * 2 - said.length;
    const drawn = copies.flatMap(({ sample }) => sample?.weight ?? []);
    return [
      {
        human: { passed: people === 0 ? null : people > 0, score: meanScore(copies.map(({ human }) => human.score)) },
        judge: {
          passed: copies.filter(({ judge }) => judge.passed).length * 2 > copies.length,
          score: meanScore(copies.map(({ judge }) => judge.score)),
        },
        votes: first.votes,
        sample: first.sample && {
          ...first.sample,
          weight: drawn.length === 0 ? null : drawn.reduce((sum, weight) => sum + weight, 0),
        },
      },
    ];
  });
}

function meanScore(scores: readonly (number | null)[]): number | null {
  return weightedMean(scores.flatMap((value) => (value === null ? [] : [{ value, weight: 1 }])));
}
