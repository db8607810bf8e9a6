import type { BadgeLook } from 'salvo/viewer-parts';
import type {
  FindingKind,
  FindingView,
  FlawView,
  MatchView,
  PairOutcome,
} from '../../../../src/app/view/match-view.ts';

/** What is looked at: a flaw or a finding, by its index. */
export interface Selection {
  kind: 'flaw' | 'finding';
  index: number;
}

/** What is shown first: a flaw that evaded if there is one, since that is what one wants to understand. */
export function firstSelection({ flaws, findings }: MatchView): Selection | null {
  const flaw = flaws.find(({ found_by }) => found_by === null) ?? flaws[0];
  if (flaw) return { kind: 'flaw', index: flaw.index };
  return findings[0] ? { kind: 'finding', index: findings[0].index } : null;
}

/** The flaw that evaded after or before what is selected, going round. */
export function nextEvaded({ flaws }: MatchView, selection: Selection | null, step: 1 | -1): Selection | null {
  const evaded = flaws.filter(({ found_by }) => found_by === null).map(({ index }) => index);
  const from = selection?.kind === 'flaw' ? selection.index : -1;
  const beyond = evaded.filter((index) => (step === 1 ? index > from : index < from));
  const index = step === 1 ? (beyond[0] ?? evaded[0]) : (beyond.at(-1) ?? evaded.at(-1));
  return index === undefined ? null : { kind: 'flaw', index };
}

const CAUGHT: BadgeLook = { name: 'caught', sign: '✓', look: 'pass' };
const EVADED: BadgeLook = { name: 'evaded', sign: '✕', look: 'fail' };

export function flawLook({ found_by }: Pick<FlawView, 'found_by'>): BadgeLook {
  return found_by === null ? EVADED : CAUGHT;
}

export const FINDING_LOOKS: Record<FindingKind, BadgeLook> = {
  match: { name: 'match', sign: '✓', look: 'pass' },
  duplicate: { name: 'duplicate', sign: '=', look: 'running' },
  consequence: { name: 'consequence', sign: '↳', look: 'crash' },
  present_before: { name: 'present before', sign: '○', look: 'unscored' },
  unresolved: { name: 'unresolved', sign: '?', look: 'unscored' },
  false_alarm: { name: 'false alarm', sign: '!', look: 'hardFail' },
};

/** Why two were or were not matched, in words. */
export const OUTCOME_WORDS: Record<PairOutcome, string> = {
  exact: 'Matched, exactly.',
  partial: 'Matched, in part.',
  duplicate: 'Not counted: the flaw is matched with another finding already. This one is a duplicate.',
  taken: 'Not matched: the score reaches the threshold, but one of the two is matched with something that fits better.',
  in_twin: 'Not matched: no flaw caused this finding. It is also on the clean twin, or was there before.',
  below_threshold: 'Not matched: the score is below the threshold.',
  apart: 'Not matched: nothing speaks for it.',
};

/** Findings in the order of the flaws that they are about, then the others: lines between them cross less. */
export function orderedFindings(findings: readonly FindingView[]): FindingView[] {
  const kinds: FindingKind[] = ['match', 'duplicate', 'consequence', 'false_alarm', 'unresolved', 'present_before'];
  const rank = ({ flaw, kind }: FindingView) =>
    (flaw ?? Number.MAX_SAFE_INTEGER / 10) * kinds.length + kinds.indexOf(kind);
  return findings.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** From two parts of the address; null if they name nothing. */
export function readSelection(kind: string | undefined, index: string | undefined): Selection | null {
  if ((kind !== 'flaw' && kind !== 'finding') || index === undefined || !/^\d{1,7}$/.test(index)) return null;
  return { kind, index: Number(index) };
}
