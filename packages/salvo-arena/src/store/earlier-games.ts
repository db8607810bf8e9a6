import type { Completion } from 'salvo/kit/store';
import { isRecord } from 'salvo/kit/text';

/** Games of earlier versions, with the fields that came later: see `Completion`. */
export const completeGame: Completion = (game) =>
  isRecord(game) && isRecord(game.scores) ? { ...game, scores: completeScores(game.scores) } : game;

/** Before Blue looked at the clean twin, only the classic precision was known. */
function completeScores(scores: Record<string, unknown>): Record<string, unknown> {
  const { vulnerabilities } = scores;
  const parts = { weakness: null, resource: null, found_by: null };
  return {
    ...{ precision_used: 'classic', precision_by_twin: null, f1_by_twin: null, false_alarms_by_twin: null },
    ...{ consequences: 0, present_before: 0, twin: null, other_findings: [], clean_alarms: [] },
    ...scores,
    vulnerabilities: Array.isArray(vulnerabilities)
      ? vulnerabilities.map((each) => (isRecord(each) ? { ...parts, ...each } : each))
      : vulnerabilities,
  };
}
