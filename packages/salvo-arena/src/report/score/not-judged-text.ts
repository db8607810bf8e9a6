import { formatPlural } from 'salvo/kit/stats';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { evadedUnjudged, type ScoredBlue } from './score-sheet.ts';

/** What a scanner says it could not judge, in a sentence or two; null when it says nothing of the kind. */
export function notJudgedText(vulnerabilities: readonly Vulnerability[], blue: ScoredBlue): string | null {
  const { name, notJudged } = blue;
  if (notJudged.length === 0) return null;
  const resources = formatPlural(new Set(notJudged.map(({ resource }) => resource)).size, 'resource');
  const evaded = evadedUnjudged(vulnerabilities, blue).size;
  const concerned = evaded === 0 ? '' : ` Among them are those for ${formatPlural(evaded, 'flaw')} that evaded it.`;
  const checks = formatPlural(notJudged.length, 'check');
  return `${name} could not judge ${checks} on ${resources}: they are neither findings nor passed.${concerned}`;
}
