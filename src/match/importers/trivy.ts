import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { resourceInText } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { firstText, type Loose, lineOf, recordOf, recordsOf, textOf } from './loose-value.ts';
import { avdId, cweIds } from './rule-ids.ts';

/**
 * `trivy config -f json`: misconfigurations, secrets and vulnerable packages of each target. Before schema 2 the
 * targets were the whole document. For a cluster they are inside its resources. A clean report has no targets.
 */
export const trivy: Importer = {
  format: 'trivy',
  name: "Trivy's JSON report",
  recognises(report) {
    if (Array.isArray(report)) return report.length > 0 && report.every(isTarget);
    const { Results, Resources, Findings, SchemaVersion, ArtifactName, ClusterName } = recordOf(report);
    if (Array.isArray(Results) && Results.length > 0) return Results.every(isTarget);
    if (Array.isArray(Resources ?? Findings) && typeof ClusterName === 'string') return true;
    return SchemaVersion !== undefined && ArtifactName !== undefined;
  },
  findings(report) {
    return targetsOf(report).flatMap((target) => [
      ...recordsOf(target.Misconfigurations, 'Misconfigurations').filter(hasFailed).map(misconfiguration(target)),
      ...recordsOf(target.Secrets, 'Secrets').map(secret(target)),
      ...recordsOf(target.Vulnerabilities, 'Vulnerabilities').map(vulnerability(target)),
    ]);
  },
};

function isTarget(value: unknown): boolean {
  return isRecord(value) && typeof value.Target === 'string';
}

function targetsOf(report: unknown): Loose[] {
  if (Array.isArray(report)) return recordsOf(report, 'the list of targets');
  const { Results, Resources, Findings } = recordOf(report);
  const inCluster = recordsOf(Resources ?? Findings, 'Resources');
  return [...recordsOf(Results, 'Results'), ...inCluster.flatMap(({ Results: inner }) => recordsOf(inner, 'Results'))];
}

function hasFailed({ Status }: Loose): boolean {
  return (textOf(Status) ?? 'FAIL').toUpperCase() === 'FAIL';
}

function misconfiguration(target: Loose): (entry: Loose) => Finding {
  return (entry) => {
    // Before schema 2 the field had another name.
    const cause = recordOf(entry.CauseMetadata ?? entry.IacMetadata);
    const ids = [textOf(entry.AVDID), textOf(entry.ID)].filter((id) => id !== undefined);
    return importedFinding({
      source: 'trivy',
      ruleId: ids[0],
      ruleIds: ids.flatMap((id) => [id, avdId(id)]),
      title: firstText(entry.Title, entry.Message, ids[0]),
      description: firstText(entry.Message, entry.Description),
      severity: textOf(entry.Severity),
      resource: resourceOf(cause) ?? resourceInText(textOf(entry.Message) ?? ''),
      file: textOf(target.Target),
      line: lineOf(cause.StartLine),
      endLine: lineOf(cause.EndLine),
      remediation: textOf(entry.Resolution),
    });
  };
}

/** Trivy writes the place when it knows no name: `template.yaml:3-9`. */
function resourceOf(cause: Loose): string | undefined {
  const resource = textOf(cause.Resource);
  return resource === undefined || /:\d+(?:-\d+)?$/.test(resource) ? undefined : resource;
}

function secret(target: Loose): (entry: Loose) => Finding {
  return (entry) =>
    importedFinding({
      source: 'trivy',
      type: 'secret',
      ruleId: textOf(entry.RuleID),
      title: firstText(entry.Title, entry.RuleID),
      description: `${firstText(entry.Title, entry.Category) ?? 'A secret'} is written in the code.`,
      severity: textOf(entry.Severity),
      file: textOf(target.Target),
      line: lineOf(entry.StartLine),
      endLine: lineOf(entry.EndLine),
    });
}

function vulnerability(target: Loose): (entry: Loose) => Finding {
  return (entry) => {
    const fixed = textOf(entry.FixedVersion);
    const installed = [textOf(entry.PkgName), textOf(entry.InstalledVersion)].filter((part) => part !== undefined);
    return importedFinding({
      source: 'trivy',
      type: 'dependency',
      ruleId: textOf(entry.VulnerabilityID),
      ruleIds: cweIds(entry.CweIDs),
      title: firstText(entry.Title, entry.VulnerabilityID),
      description: textOf(entry.Description),
      severity: textOf(entry.Severity),
      resource: installed.length > 0 ? installed.join('@') : undefined,
      file: textOf(target.Target),
      remediation: fixed === undefined ? undefined : `Update to ${fixed}.`,
    });
  };
}
