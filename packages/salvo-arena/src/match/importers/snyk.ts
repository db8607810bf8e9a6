import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { type BlockPath, readBlockPath, readBlockSteps } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asRecord, asReports, asText, asTexts, firstText, type Loose, recordsAt } from './loose-value.ts';

/** `snyk iac test --json`: one object for a file, or a list of them. Their `vulnerabilities` are always empty. */
export const snyk: Importer = {
  format: 'snyk',
  name: "Snyk IaC's JSON report",
  recognises(report) {
    const files = asReports(report);
    return files.length > 0 && files.every((file) => isRecord(file) && 'infrastructureAsCodeIssues' in file);
  },
  findings(report) {
    return recordsAt(asReports(report), 'reports').flatMap((file) =>
      recordsAt(file.infrastructureAsCodeIssues, 'infrastructureAsCodeIssues')
        .filter(({ isIgnored }) => isIgnored !== true)
        .map((issue) => toFinding(file, issue)),
    );
  },
};

function toFinding(file: Loose, issue: Loose): Finding {
  const path = readPath(issue);
  const words = asRecord(issue.iacDescription);
  const id = firstText(issue.publicId, issue.id);
  return importedFinding({
    source: 'snyk',
    ruleId: id,
    ruleIds: [asText(issue.id)],
    title: firstText(issue.title, id),
    description: firstText(issue.issue, words.issue, issue.impact, words.impact),
    severity: firstText(issue.severity, issue.severityWithCritical),
    resource: path?.resource,
    file: firstText(file.targetFile, file.targetFilePath, file.path),
    line: asLine(issue.lineNumber),
    attributes: path ? [path.attribute] : [],
    remediation: firstText(issue.resolve, words.resolve),
  });
}

function readPath(issue: Loose): BlockPath | null {
  const steps = asTexts(issue.path);
  return (steps.length > 1 ? readBlockSteps(steps) : null) ?? readBlockPath(asText(issue.msg) ?? steps[0] ?? '');
}
