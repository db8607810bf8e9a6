import { memoByWord } from '../../text/word-memo.ts';
import { categoriesOf } from '../claims/categories.ts';
import type { Claim } from '../claims/claim.ts';
import type { RecallOf, ScoreResults } from './score-results.ts';

/** A vulnerability as the breakdowns see it. */
interface CountedVulnerability {
  claim: Claim;
  /** In Red's own words, like the technique; empty when there is none. */
  difficulty: string;
  technique: string;
  found: boolean;
}

const UNSTATED = 'unstated';

/**
 * Recall by what a vulnerability is. Each counts once in every breakdown, under `unstated` where it does not say.
 * Its category is the first of the documented ones that its type speaks of; else its type; else, when it has none, the
 * first that its texts speak of.
 */
export function breakdownsOf(vulnerabilities: readonly CountedVulnerability[]): ScoreResults['breakdowns'] {
  return {
    category: breakdown(vulnerabilities, ({ claim }) => categoryOf(claim)),
    severity: breakdown(vulnerabilities, ({ claim }) => claim.severity ?? UNSTATED),
    difficulty: breakdown(vulnerabilities, ({ difficulty }) => wordOf(difficulty)),
    technique: breakdown(vulnerabilities, ({ technique }) => wordOf(technique)),
  };
}

function breakdown(
  vulnerabilities: readonly CountedVulnerability[],
  kindOf: (vulnerability: CountedVulnerability) => string,
): Record<string, RecallOf> {
  const counted = new Map<string, RecallOf>();
  for (const vulnerability of vulnerabilities) {
    const kind = kindOf(vulnerability);
    let counts = counted.get(kind);
    if (!counts) {
      counts = { vulnerabilities: 0, found: 0, recall: 0 };
      counted.set(kind, counts);
    }
    counts.vulnerabilities += 1;
    if (vulnerability.found) counts.found += 1;
    counts.recall = counts.found / counts.vulnerabilities;
  }
  // By entries, since a type may be called anything; sorted, so that the order of the manifest does not show.
  return Object.fromEntries([...counted].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function categoryOf(claim: Claim): string {
  if (claim.type.trim() !== '') return categoryOfType(claim.type);
  const [category] = categoriesOf(claim);
  return category ?? UNSTATED;
}

/** The same few types come up in game after game. */
const categoryOfType = memoByWord((type): string => {
  const [category] = categoriesOf({ type, title: '', description: '' });
  return category ?? wordOf(type);
});

/** In small letters, so that `Easy` is `easy`. */
function wordOf(text: string): string {
  return text.trim().toLowerCase() || UNSTATED;
}
