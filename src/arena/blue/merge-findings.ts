import type { Finding } from '../../match/claims/finding.ts';
import { pairFindings } from '../../match/pair-findings.ts';
import { joinFindings } from './join-findings.ts';

/** One flaw, and who reported it. */
export interface FindingGroup {
  /** What all of them say together. */
  finding: Finding;
  /** The numbers of the lists that it was in. */
  reporters: ReadonlySet<number>;
  /** How many findings it was made of. */
  count: number;
}

/** From this score on, the Judge Agent's matcher is taken at its word: to merge two flaws loses one of them. */
const SAME_FLAW = 0.5;

/**
 * Groups what several reported by flaw, in the order in which the flaws were first named. Two findings of one list are
 * never one: whoever names two rules, or says a thing twice, mostly means two things.
 */
export function mergeFindings(lists: readonly (readonly Finding[])[]): FindingGroup[] {
  const groups: FindingGroup[] = [];
  for (const [reporter, list] of lists.entries()) {
    const known = groups.map(({ finding }) => finding);
    const sameAs = pairFindings(known, list, SAME_FLAW);
    for (const [index, finding] of list.entries()) {
      const at = sameAs.get(index);
      const before = at === undefined ? undefined : groups[at];
      if (at !== undefined && before) groups[at] = joined(before, finding, reporter);
      else groups.push({ finding, reporters: new Set([reporter]), count: 1 });
    }
  }
  return groups;
}

function joined({ finding, reporters, count }: FindingGroup, other: Finding, reporter: number): FindingGroup {
  return { finding: joinFindings(finding, other), reporters: new Set([...reporters, reporter]), count: count + 1 };
}
