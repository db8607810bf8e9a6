import { cutMiddle } from '../../text/words/cut-text.ts';
import type { Disagreement } from './calibration-record.ts';
import type { Comparison } from './comparison.ts';

const LONGEST_EXCERPT = 600;

/** What a reader needs to understand why judge and people differ. Null where it is unknown. */
export interface DisagreementDetails {
  task: string | null;
  response: string | null;
  /** What the judge said, by criterion. Written by a model. */
  said: readonly {
    criterion: string | null;
    score: number | null;
    /** The label of people on this criterion. */
    label: number | null;
    reasoning: string | null;
  }[];
}

interface Item extends DisagreementDetails {
  line: number;
  scenario: string | null;
  comparison: Comparison | null;
}

/** Worst first: the more votes were wrong, and the farther the judge's score from the threshold, the worse. */
export function disagreements(items: readonly Item[], threshold: number): Disagreement[] {
  const found = items.flatMap((item) => {
    const { comparison } = item;
    if (!comparison || comparison.human.passed === null || comparison.human.passed === comparison.judge.passed) {
      return [];
    }
    const { human, judge, votes } = comparison;
    const cast = (votes[0] ?? []).filter((vote) => vote !== null);
    const votesFor = cast.filter((vote) => vote === judge.passed).length;
    const said = mostTelling(item.said, judge.passed);
    return [
      {
        line: item.line,
        scenario: item.scenario,
        task: item.task && cutMiddle(item.task, LONGEST_EXCERPT),
        response: item.response && cutMiddle(item.response, LONGEST_EXCERPT),
        human: { passed: comparison.human.passed, score: human.score },
        judge: { passed: judge.passed, score: judge.score },
        votes: cast.length,
        votes_for: votesFor,
        criterion: said?.criterion ?? null,
        reasoning: said?.reasoning ? cutMiddle(said.reasoning, LONGEST_EXCERPT) : null,
      },
    ];
  });
  const certainty = ({ votes, votes_for }: Disagreement): number => (votes === 0 ? 1 : votes_for / votes);
  const distance = ({ judge }: Disagreement): number => (judge.score === null ? 0 : Math.abs(judge.score - threshold));
  return found.toSorted((a, b) => certainty(b) - certainty(a) || distance(b) - distance(a) || a.line - b.line);
}

/** The criterion that differs most from its label; without labels, the one that decided the verdict most. */
function mostTelling(said: DisagreementDetails['said'], passed: boolean): DisagreementDetails['said'][number] | null {
  const weight = ({ score, label }: DisagreementDetails['said'][number]): number => {
    if (score === null) return 0;
    if (label !== null) return 1 + Math.abs(score - label);
    return passed ? score : 1 - score;
  };
  return said.toSorted((a, b) => weight(b) - weight(a))[0] ?? null;
}
