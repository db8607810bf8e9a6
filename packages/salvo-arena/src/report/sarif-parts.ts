import { salvoVersion } from 'salvo/kit/text';
import type { Finding } from '../match/claims/finding.ts';
import { readSeverity, SEVERITIES, type Severity } from '../match/claims/severity.ts';
import { resourceNames } from './score/describe-claim.ts';

/** GitHub sorts by `rank`; its bands are those of CVSS. */
export const IN_SARIF: Record<Severity, { level: 'error' | 'warning' | 'note'; rank: string }> = {
  critical: { level: 'error', rank: '9.5' },
  high: { level: 'error', rank: '8.0' },
  medium: { level: 'warning', rank: '5.5' },
  low: { level: 'note', rank: '2.0' },
  info: { level: 'note', rank: '0.0' },
};

/** A SARIF 2.1.0 log with one run of Salvo. */
export function sarifLog<Rule, Run extends { results: unknown[] }>({ rules, ...run }: { rules: Rule[] } & Run) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Salvo', semanticVersion: salvoVersion(), rules } }, ...run }],
  };
}

/** Scanners such as cfn-guard state no severity. */
export function severityOrMedium({ severity }: { severity?: unknown }): Severity {
  return readSeverity(severity) ?? 'medium';
}

/** A code host shows it for every result of the rule: a critical one must not look mild. */
export function worstSeverity(claims: readonly { severity?: unknown }[]): Severity {
  return SEVERITIES.findLast((severity) => claims.some((each) => severityOrMedium(each) === severity)) ?? 'medium';
}

/** Where a flaw is; without a file, at the beginning of another one. */
export function codeLocation(claim: Pick<Finding, 'resource' | 'file' | 'line' | 'end_line'>, otherwise: string) {
  const { file, line, end_line } = claim;
  const name = resourceNames(claim);
  const lines =
    file && line ? { startLine: line, ...(end_line && end_line > line ? { endLine: end_line } : {}) } : null;
  return {
    physicalLocation: {
      artifactLocation: { uri: fileUri(file || otherwise) },
      region: lines ?? { startLine: 1 },
    },
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name, kind: 'resource' }] }),
  };
}

/** Relative to the project, as code hosts expect. An absolute path must not be mistaken for a scheme (`C:`). */
function fileUri(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const absolute = /^[a-z]:\//i.test(slashed) ? `/${slashed}` : slashed;
  const uri = encodeURI(absolute.toWellFormed()).replaceAll('#', '%23').replaceAll('?', '%3F');
  return uri.startsWith('/') ? `file://${uri}` : uri.replace(/^(?:\.\/)+/, '');
}
