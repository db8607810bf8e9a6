import type { Block } from 'salvo/kit/report';
import type { Finding } from '../../match/claims/finding.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import { unresolvedWords } from '../../match/results/unresolved.ts';
import { claimLine, findingPlace } from './describe-claim.ts';

/** The false alarms about values that only evaluation finds, each with the attribute. */
export function unresolvedList(
  { unresolved }: Pick<ScoreResults, 'unresolved'>,
  { findings, most, prefix = '' }: { findings: readonly Finding[]; most: number; prefix?: string },
): Block {
  const all = unresolved ?? [];
  const text = `${prefix}Unresolved (${all.length}; false alarms about values that only evaluation finds)`;
  return {
    title: { text, tone: 'yellow' },
    most,
    items: all.map(({ findingIndex, ...value }) => ({
      symbol: { text: '?', tone: 'yellow' },
      text: `${findingIndex} ${findingPlace(findings[findingIndex])} ${claimLine(findings[findingIndex])}`,
      below: [{ text: unresolvedWords(value), tone: 'dim' }],
    })),
  };
}
