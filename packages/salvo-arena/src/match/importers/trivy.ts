import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { resourceInText } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asRecord, asText, firstText, type Loose, recordsAt } from './loose-value.ts';
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
    const { Results, Resources, Findings, SchemaVersion, ArtifactName, ClusterName } = asRecord(report);
    if (Array.isArray(Results) && Results.length > 0) return Results.every(isTarget);
    if (Array.isArray(Resources ?? Findings) && typeof ClusterName === 'string') return true;
    return SchemaVersion !== undefined && ArtifactName !== undefined;
  },
  findings(report) {
    return readTargets(report).flatMap((target) => [
      ...recordsAt(target.Misconfigurations, 'Misconfigurations')
        .filter(hasFailed)
        .map(misconfigurationFinding(target)),
      ...recordsAt(target.Secrets, 'Secrets').map(secretFinding(target)),
      ...recordsAt(target.Vulnerabilities, 'Vulnerabilities').map(packageFinding(target)),
    ]);
  },
};

function isTarget(value: unknown): boolean {
  return isRecord(value) && typeof value.Target === 'string';
}

function readTargets(report: unknown): Loose[] {
  if (Array.isArray(report)) return recordsAt(report, 'the list of targets');
  const { Results, Resources, Findings } = asRecord(report);
  const inCluster = recordsAt(Resources ?? Findings, 'Resources');
  return [...recordsAt(Results, 'Results'), ...inCluster.flatMap(({ Results: inner }) => recordsAt(inner, 'Results'))];
}

function hasFailed({ Status }: Loose): boolean {
  return (asText(Status) ?? 'FAIL').toUpperCase() === 'FAIL';
}

function misconfigurationFinding(target: Loose): (entry: Loose) => Finding {
  return (entry) => {
    // Before schema 2 the field had another name.
    const cause = asRecord(entry.CauseMetadata ?? entry.IacMetadata);
    const ids = [asText(entry.AVDID), asText(entry.ID)].filter((id) => id !== undefined);
    return importedFinding({
      source: 'trivy',
      ruleId: ids[0],
      ruleIds: ids.flatMap((id) => [id, avdId(id)]),
      title: firstText(entry.Title, entry.Message, ids[0]),
      description: firstText(entry.Message, entry.Description),
      severity: asText(entry.Severity),
      resource: resourceAddress(cause) ?? resourceInText(asText(entry.Message) ?? ''),
      file: asText(target.Target),
      line: asLine(cause.StartLine),
      endLine: asLine(cause.EndLine),
      remediation: asText(entry.Resolution),
    });
  };
}

/** Trivy writes the place when it knows no name: `template.yaml:3-9`. */
function resourceAddress(cause: Loose): string | undefined {
  const resource = asText(cause.Resource);
  return resource === undefined || /:\d+(?:-\d+)?$/.test(resource) ? undefined : resource;
}

function secretFinding(target: Loose): (entry: Loose) => Finding {
  return (entry) =>
    importedFinding({
      source: 'trivy',
      type: 'secret',
      ruleId: asText(entry.RuleID),
      title: firstText(entry.Title, entry.RuleID),
      description: `${firstText(entry.Title, entry.Category) ?? 'A secret'} is written in the code.`,
      severity: asText(entry.Severity),
      file: asText(target.Target),
      line: asLine(entry.StartLine),
      endLine: asLine(entry.EndLine),
    });
}

function packageFinding(target: Loose): (entry: Loose) => Finding {
  return (entry) => {
    const fixed = asText(entry.FixedVersion);
    const installed = [asText(entry.PkgName), asText(entry.InstalledVersion)].filter((part) => part !== undefined);
    return importedFinding({
      source: 'trivy',
      type: 'dependency',
      ruleId: asText(entry.VulnerabilityID),
      ruleIds: cweIds(entry.CweIDs),
      title: firstText(entry.Title, entry.VulnerabilityID),
      description: asText(entry.Description),
      severity: asText(entry.Severity),
      resource: installed.length > 0 ? installed.join('@') : undefined,
      file: asText(target.Target),
      remediation: fixed === undefined ? undefined : `Update to ${fixed}.`,
    });
  };
}
