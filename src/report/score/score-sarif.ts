import { readSeverity, SEVERITIES, type Severity } from '../../match/claims/severity.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { salvoVersion } from '../../text/salvo-version.ts';
import { claimLine, resourceNames } from './describe-claim.ts';
import type { ScoreSheet } from './score-sheet.ts';

const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};
/** GitHub sorts by this number; its bands are those of CVSS. */
const SECURITY_SEVERITY: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

/**
 * SARIF 2.1.0 with a result for every vulnerability that at least one Blue missed: a code host shows them beside the
 * code. A vulnerability without a file is reported at the manifest itself.
 */
export function scoreSarif({ red, blues }: ScoreSheet) {
  const evaded = red.vulnerabilities.flatMap((vulnerability, index) => {
    const missedBy = blues.filter(({ results }) => results.evadedIndices.includes(index)).map(({ name }) => name);
    return missedBy.length === 0 ? [] : [{ vulnerability, missedBy }];
  });
  const rules = Map.groupBy(
    evaded.map(({ vulnerability }) => vulnerability),
    ruleId,
  );
  const ruleIds = [...rules.keys()];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Salvo',
            semanticVersion: salvoVersion(),
            rules: [...rules].map(([id, vulnerabilities]) => ({
              id,
              name: id,
              shortDescription: {
                text: `A planted flaw that was not found: ${vulnerabilities[0]?.type || 'of no stated type'}`,
              },
              properties: {
                tags: ['security', 'evaded'],
                'security-severity': SECURITY_SEVERITY[worstSeverity(vulnerabilities)],
              },
            })),
          },
        },
        results: evaded.map(({ vulnerability, missedBy }) => ({
          ruleId: ruleId(vulnerability),
          ruleIndex: ruleIds.indexOf(ruleId(vulnerability)),
          level: LEVELS[severityOrMedium(vulnerability)],
          message: { text: `Evaded ${missedBy.join(', ')}: ${vulnerability.id}, ${claimLine(vulnerability)}` },
          locations: [location(vulnerability, red.file)],
          partialFingerprints: { 'vulnerabilityId/v1': vulnerability.id },
        })),
      },
    ],
  };
}

function ruleId({ type }: Vulnerability): string {
  return `evaded/${
    (type ?? '')
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-') || 'unknown'
  }`;
}

function severityOrMedium({ severity }: Vulnerability): Severity {
  return readSeverity(severity) ?? 'medium';
}

/** A code host shows it for every result of the rule: a critical one must not look mild. */
function worstSeverity(vulnerabilities: readonly Vulnerability[]): Severity {
  return (
    SEVERITIES.findLast((severity) => vulnerabilities.some((each) => severityOrMedium(each) === severity)) ?? 'medium'
  );
}

/** Relative to the project, as code hosts expect. An absolute path must not be mistaken for a scheme (`C:`). */
function fileUri(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const absolute = /^[a-z]:\//i.test(slashed) ? `/${slashed}` : slashed;
  const uri = encodeURI(absolute.toWellFormed()).replaceAll('#', '%23').replaceAll('?', '%3F');
  return uri.startsWith('/') ? `file://${uri}` : uri.replace(/^(?:\.\/)+/, '');
}

function location(vulnerability: Vulnerability, manifest: string) {
  const { file, line, end_line } = vulnerability;
  const name = resourceNames(vulnerability);
  return {
    physicalLocation: {
      artifactLocation: {
        uri: fileUri(file || manifest),
      },
      region: {
        startLine: file ? (line ?? 1) : 1,
        ...(file && line && end_line && end_line >= line ? { endLine: end_line } : {}),
      },
    },
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name, kind: 'resource' }] }),
  };
}
