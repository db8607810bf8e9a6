import { contentHash } from 'salvo/kit/text';
import type { Finding } from '../../match/claims/finding.ts';
import { codeLocation, IN_SARIF, sarifLog, severityOrMedium, worstSeverity } from '../sarif-parts.ts';
import { resourceNames } from '../score/describe-claim.ts';
import { scanNotes } from './scan-report.ts';
import type { ScanSheet } from './scan-sheet.ts';

/** A scan as SARIF 2.1.0, which code hosts show beside the code. */
export function scanSarif(sheet: ScanSheet) {
  const findings = sheet.findings ?? [];
  const rules = Map.groupBy(findings, ruleId);
  const ruleIds = [...rules.keys()];
  const fingerprint = createFingerprints();
  return sarifLog({
    rules: [...rules].map(([id, ofRule]) => sarifRule(id, ofRule)),
    results: findings.map((finding) => ({
      ruleId: ruleId(finding),
      ruleIndex: ruleIds.indexOf(ruleId(finding)),
      level: IN_SARIF[severityOrMedium(finding)].level,
      message: { text: finding.description || finding.title || ruleId(finding) },
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

function ruleId({ rule_id, type }: Finding): string {
  return rule_id?.trim() || type?.trim() || 'finding';
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

/** The same finding keeps its fingerprint when lines above it change, so it has no line. Repetitions are numbered. */
function createFingerprints(): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return (finding) => {
    const { file, attribute, title } = finding;
    const id = contentHash([ruleId(finding), resourceNames(finding), file ?? '', attribute ?? '', title ?? '']);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id.slice(0, 32)}:${count + 1}`;
  };
}
