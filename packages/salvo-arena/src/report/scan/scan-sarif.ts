import type { Finding } from '../../match/claims/finding.ts';
import { codeLocation, IN_SARIF, sarifLog, severityOrMedium, worstSeverity } from '../sarif-parts.ts';
import { createFingerprints, ruleOf } from './finding-fingerprints.ts';
import { scanNotes } from './scan-report.ts';
import type { ScanSheet } from './scan-sheet.ts';

/** A scan as SARIF 2.1.0, which code hosts show beside the code. */
export function scanSarif(sheet: ScanSheet) {
  const findings = sheet.findings ?? [];
  const rules = Map.groupBy(findings, ruleOf);
  const ruleIds = [...rules.keys()];
  const fingerprint = createFingerprints();
  return sarifLog({
    rules: [...rules].map(([id, ofRule]) => sarifRule(id, ofRule)),
    results: findings.map((finding) => ({
      ruleId: ruleOf(finding),
      ruleIndex: ruleIds.indexOf(ruleOf(finding)),
      level: IN_SARIF[severityOrMedium(finding)].level,
      message: { text: finding.description || finding.title || ruleOf(finding) },
      locations: [codeLocation(finding, sheet.paths[0] ?? '.')],
      partialFingerprints: { 'salvoFinding/v1': fingerprint(finding) },
    })),
    invocations: [
      {
        executionSuccessful: sheet.findings !== null && sheet.problems.length === 0,
        toolExecutionNotifications: [...(sheet.message === null ? [] : [sheet.message]), ...scanNotes(sheet)].map(
          (text) => ({ level: 'warning', message: { text } }),
        ),
      },
    ],
  });
}

function sarifRule(id: string, findings: readonly Finding[]) {
  const [first] = findings;
  const worst = worstSeverity(findings);
  const title = first?.title || first?.type || id;
  const cwe = findings.flatMap(({ rule_ids }) => rule_ids ?? []).flatMap((other) => CWE.exec(other)?.[1] ?? []);
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: first?.remediation || title },
    defaultConfiguration: { level: IN_SARIF[worst].level },
    properties: {
      tags: ['security', ...new Set(cwe.map((number) => `external/cwe/cwe-${number.padStart(3, '0')}`))],
      'security-severity': IN_SARIF[worst].rank,
    },
  };
}

const CWE = /^CWE-(\d{1,5})$/i;
