import { compareJudges } from '../packages/salvo/src/judge/which/compare-judges.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { drawSample, type SimulatedJudge } from '../test/simulated-judges.ts';

const MOST_MORE = 6000;

/** Two judges of equal skill, and one that is a little or clearly worse than the first. */
const PAIRS: readonly (readonly [string, SimulatedJudge, SimulatedJudge])[] = [
  ['equal judges', judgeOf('a', 1.5), judgeOf('b', 1.5)],
  ['one worse by 7 points', judgeOf('a', 1.5), judgeOf('b', 1.1)],
];

function judgeOf(name: string, skill: number): SimulatedJudge {
  return { name, skill, sureness: 1 };
}

/**
 * Whether "about N more would do" is right: as many fresh labels as were there and N more are drawn, and the two judges
 * are compared on them. The sentence promises that four of five such comparisons can tell, if the difference is what it
 * seemed to be.
 */
export function labelsMissingLines(samples: number): string[] {
  return PAIRS.flatMap(([name, ...judges]) =>
    [60, 200].map((answers) => {
      const random = seededRandom('labels missing', name, answers);
      const compare = (size: number) => {
        const sample = drawSample({ answers: size, perCase: 1, rate: 0.7, alike: 0 }, judges, random);
        return compareJudges({ ...sample, threshold: 0.5, lines: size, notes: [] });
      };
      const needs: number[] = [];
      let [tells, told] = [0, 0];
      for (let sample = 0; sample < samples; sample += 1) {
        const more = missingOf(compare(answers));
        if (more === null) {
          tells += 1;
          continue;
        }
        needs.push(more);
        if (missingOf(compare(answers + Math.min(more, MOST_MORE))) === null) told += 1;
      }
      const median = needs.toSorted((a, b) => a - b)[Math.floor(needs.length / 2)] ?? 0;
      return `labels missing, ${name}, ${answers} answers: ${tells} of ${samples} can tell; else ${median} more (median), with which ${told} of ${needs.length} can tell`;
    }),
  );
}

/** The number of labels that a sentence asks for; null if the labels are enough. */
function missingOf({ judges }: ReturnType<typeof compareJudges>): number | null {
  const sentences = judges.flatMap((judge) => judge.sentences);
  const [, more] =
    sentences.map((each) => /about ([\d,]+) more would do/.exec(each)).find((each) => each !== null) ?? [];
  return more === undefined ? null : Number(more.replaceAll(',', ''));
}
