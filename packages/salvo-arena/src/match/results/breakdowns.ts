import { memoByWord } from 'salvo/kit/text';
import { categoriesOf } from '../claims/categories.ts';
import type { Claim } from '../claims/claim.ts';
import type { RecallOf, ScoreResults } from './score-results.ts';

/** A vulnerability with what the breakdowns need. */
interface CountedVulnerability {
  claim: Claim;
  /** In Red's own words, like the technique; empty when there is none. */
  difficulty: string;
  technique: string;
  found: boolean;
}

const UNSTATED = 'unstated';

/**
 * Recall by kind of vulnerability. Each vulnerability counts once in every breakdown, under `unstated` where the kind
 * is not stated. Its category is the first documented one that its type mentions, otherwise the type itself. Without a
 * type it is the first category that the texts mention.
 */
export function breakdownsOf(vulnerabilities: readonly CountedVulnerability[]): ScoreResults['breakdowns'] {
  return {
    category: breakdown(vulnerabilities, ({ claim }) => categoryOf(claim)),
    severity: breakdown(vulnerabilities, ({ claim }) => claim.severity ?? UNSTATED),
    difficulty: breakdown(vulnerabilities, ({ difficulty }) => labelOrUnstated(difficulty)),
    technique: breakdown(vulnerabilities, ({ technique }) => labelOrUnstated(technique)),
  };
}

function breakdown(
  vulnerabilities: readonly CountedVulnerability[],
  kindOf: (vulnerability: CountedVulnerability) => string,
): Record<string, RecallOf> {
  const byKind = [...Map.groupBy(vulnerabilities, kindOf)].map(([kind, all]): [string, RecallOf] => {
    const found = all.filter((vulnerability) => vulnerability.found).length;
    return [kind, { vulnerabilities: all.length, found, recall: found / all.length }];
  });
  // From entries, since a type may have any name; sorted, so that the order of the manifest has no effect.
  return Object.fromEntries(byKind.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function categoryOf(claim: Claim): string {
  if (claim.type.trim() !== '') return categoryOfType(claim.type);
  const [category] = categoriesOf(claim);
  return category ?? UNSTATED;
}

/** Remembered, because the same few types occur in game after game. */
const categoryOfType = memoByWord((type): string => {
  const [category] = categoriesOf({ type, title: '', description: '' });
  return category ?? labelOrUnstated(type);
});

/** In lower case, so that `Easy` is `easy`. */
function labelOrUnstated(text: string): string {
  return text.trim().toLowerCase() || UNSTATED;
}
