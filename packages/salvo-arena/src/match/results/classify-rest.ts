import type { Candidate } from '../candidates/candidate-list.ts';
import type { Matcher } from '../candidates/matcher.ts';
import type { MatchInput } from '../claims/match-input.ts';
import { sameResource } from '../claims/resource-address.ts';
import { causesOf } from './consequences.ts';
import type { KnownFromOutside } from './outside-evidence.ts';
import type { Pairing } from './pairing.ts';
import type { TwinComparison } from './twin-comparison.ts';
import type { UnresolvedValue } from './unresolved.ts';

/** What became of the findings that are neither a match nor a duplicate. Indices are those of the matcher. */
export function classifyRest(scored: {
  input: MatchInput;
  comparison: TwinComparison;
  matcher: Matcher;
  pairing: Pairing;
  duplicates: readonly Candidate[];
  known: KnownFromOutside | null;
}) {
  const { input, comparison, matcher, pairing, duplicates, known } = scored;
  const isDuplicate = new Set(duplicates.map(({ finding }) => finding));
  const rest = [...pairing.vulnerabilityOf.keys()].filter(
    (finding) => pairing.vulnerabilityOf[finding] === -1 && !isDuplicate.has(finding),
  );
  const presentBefore = rest.filter(comparison.isPresentBefore);
  const open = rest.filter((finding) => !comparison.isPresentBefore(finding));
  const isChance = chanceFindings(input, known);
  const areNew = comparison.hasTwin;
  const caused = open.filter((finding) => !comparison.isInTwin(finding) && !(areNew && isChance(finding)));
  const consequences = causesOf(caused, { input, matcher, areNew });
  const explained = new Set([...presentBefore, ...consequences.map(({ finding }) => finding)]);
  const falseAlarms = open.filter((finding) => !explained.has(finding));
  return { consequences, presentBefore, explained, falseAlarms, unresolved: unresolvedAmong(falseAlarms, scored) };
}

/** The false alarms about values that only evaluation finds. Null if nothing is known about values. */
function unresolvedAmong(
  falseAlarms: readonly number[],
  { comparison, known }: { comparison: TwinComparison; known: KnownFromOutside | null },
): { finding: number; value: UnresolvedValue }[] | null {
  if (!comparison.hasTwin || !known?.unresolved) return null;
  return falseAlarms.flatMap((finding) => {
    const value = known.unresolved?.[comparison.twinIndexOf(finding) ?? -1];
    return value ? [{ finding, value }] : [];
  });
}

/**
 * A Blue that answers differently each time reports some things in one of the two reports by chance. On a resource that
 * no flaw concerns, such a finding is a false alarm, although it is not in the report on the twin.
 */
function chanceFindings({ findings }: MatchInput, known: KnownFromOutside | null): (finding: number) => boolean {
  const clean = known?.isRepeatable === false ? (known.cleanResources ?? []) : [];
  return (finding) => clean.length > 0 && sameResource(findings.claims[finding]?.resources ?? [], clean);
}
