import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { codeLocation, IN_SARIF, sarifLog, severityOrMedium, worstSeverity } from '../sarif-parts.ts';
import { claimLine } from './describe-claim.ts';
import type { ScoredBlue, ScoreSheet } from './score-sheet.ts';

/**
 * SARIF 2.1.0 with a result for every vulnerability that at least one Blue missed: a code host shows them beside the
 * code. A vulnerability without a file is reported at the manifest itself.
 */
export function scoreSarif({
  red,
  blues,
}: Pick<ScoreSheet, 'red'> & { blues: readonly Pick<ScoredBlue, 'name' | 'results'>[] }) {
  const evaded = red.vulnerabilities.flatMap((vulnerability, index) => {
    const missedBy = blues.filter(({ results }) => results.evadedIndices.includes(index)).map(({ name }) => name);
    return missedBy.length === 0 ? [] : [{ vulnerability, missedBy }];
  });
  const rules = Map.groupBy(
    evaded.map(({ vulnerability }) => vulnerability),
    ruleId,
  );
  const ruleIds = [...rules.keys()];
  return sarifLog({
    rules: [...rules].map(([id, vulnerabilities]) => ({
      id,
      name: id,
      shortDescription: {
        text: `A planted flaw that was not found: ${vulnerabilities[0]?.type || 'of no stated type'}`,
      },
      properties: {
        tags: ['security', 'evaded'],
        'security-severity': IN_SARIF[worstSeverity(vulnerabilities)].rank,
      },
    })),
    results: evaded.map(({ vulnerability, missedBy }) => ({
      ruleId: ruleId(vulnerability),
      ruleIndex: ruleIds.indexOf(ruleId(vulnerability)),
      level: IN_SARIF[severityOrMedium(vulnerability)].level,
      message: { text: `Evaded ${missedBy.join(', ')}: ${vulnerability.id}, ${claimLine(vulnerability)}` },
      locations: [codeLocation(vulnerability, red.file)],
      partialFingerprints: { 'vulnerabilityId/v1': vulnerability.id },
    })),
  });
}

function ruleId({ type }: Vulnerability): string {
  return `evaded/${
    (type ?? '')
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-') || 'unknown'
  }`;
}
