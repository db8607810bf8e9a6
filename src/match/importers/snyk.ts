import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { type BlockPath, readBlockPath, readBlockSteps } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { firstText, type Loose, lineOf, recordOf, recordsOf, reportsOf, textOf, textsOf } from './loose-value.ts';

/** `snyk iac test --json`: one object for a file, or a list of them. Their `vulnerabilities` are always empty. */
export const snyk: Importer = {
  format: 'snyk',
  name: "Snyk IaC's JSON report",
  recognises(report) {
    const files = reportsOf(report);
    return files.length > 0 && files.every((file) => isRecord(file) && 'infrastructureAsCodeIssues' in file);
  },
  findings(report) {
    return recordsOf(reportsOf(report), 'reports').flatMap((file) =>
      recordsOf(file.infrastructureAsCodeIssues, 'infrastructureAsCodeIssues')
        .filter(({ isIgnored }) => isIgnored !== true)
        .map((issue) => findingOf(file, issue)),
    );
  },
};

function findingOf(file: Loose, issue: Loose): Finding {
  const path = pathOf(issue);
  const words = recordOf(issue.iacDescription);
  const id = firstText(issue.publicId, issue.id);
  return importedFinding({
    source: 'snyk',
    ruleId: id,
    ruleIds: [textOf(issue.id)],
    title: firstText(issue.title, id),
    description: firstText(issue.issue, words.issue, issue.impact, words.impact),
    severity: firstText(issue.severity, issue.severityWithCritical),
    resource: path?.resource,
    file: firstText(file.targetFile, file.targetFilePath, file.path),
    line: lineOf(issue.lineNumber),
    attributes: path ? [path.attribute] : [],
    remediation: firstText(issue.resolve, words.resolve),
  });
}

function pathOf(issue: Loose): BlockPath | null {
  const steps = textsOf(issue.path);
  return (steps.length > 1 ? readBlockSteps(steps) : null) ?? readBlockPath(textOf(issue.msg) ?? steps[0] ?? '');
}
