import { mean } from '../../../stats/mean.ts';
import type { DriftCheck } from './drift-check.ts';
import { type AnchorScores, type DriftTest, driftTest, smallestP } from './drift-test.ts';

/** What one judge said of an anchor then, and says now. */
export interface ComparedVote {
  isDecision: boolean;
  scores: AnchorScores;
  /** Of a decision: how likely the anchor passes. */
  probabilities: AnchorScores | null;
}

export interface DriftOutcome extends Pick<DriftCheck, 'outcome'> {
  /** Why it could not be checked. */
  why?: string;
  test?: DriftTest;
  p?: number | null;
}

const ALPHA = 0.05;
/** A smaller mean change, of 1, is not worth a calibration, however certain it is. */
const SMALLEST_CHANGE = 0.03;
/** How far the answers of a decision model may differ, which other machines round differently. */
const TOLERANCE = 0.05;

/** Whether votes on anchors have changed. Those of chat models vary, and are tested; decisions are compared. */
export function driftOutcome(compared: readonly ComparedVote[], random: () => number): DriftOutcome {
  const all = driftTest(
    compared.map(({ scores }) => scores),
    random,
  );
  if (isUnlike(compared.filter(({ isDecision }) => isDecision))) return { outcome: 'changed', test: all, p: null };
  const votes = compared.filter(({ isDecision }) => !isDecision).map(({ scores }) => scores);
  if (votes.length === 0) return { outcome: 'unchanged', test: all, p: null };
  if (smallestP(votes) > ALPHA) return { outcome: 'unchecked', why: 'its anchors have too few votes to tell' };
  const { p, change } = votes.length === compared.length ? all : driftTest(votes, random);
  return { outcome: p <= ALPHA && change >= SMALLEST_CHANGE ? 'changed' : 'unchanged', test: all, p };
}

/** Whether a decision differs by more than is allowed: twice as much as in the calibration, if it varied there. */
function isUnlike(decisions: readonly ComparedVote[]): boolean {
  const both = decisions.flatMap(({ scores, probabilities }) => (probabilities ? [scores, probabilities] : [scores]));
  const spread = Math.max(0, ...both.map(({ earlier }) => Math.max(...earlier) - Math.min(...earlier)));
  const allowed = Math.max(TOLERANCE, 2 * spread);
  return both.some(({ earlier, now }) => Math.abs(now - (mean(earlier) ?? now)) > allowed);
}
