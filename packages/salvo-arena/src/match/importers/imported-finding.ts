import type { Finding } from '../claims/finding.ts';
import { readSeverity } from '../claims/severity.ts';
import { normalisePath } from './normalise-path.ts';

/** What an importer read from one entry of a report. Undefined fields are left out of the finding. */
interface Imported {
  source: string;
  type?: string | undefined;
  ruleId: string | undefined;
  /** Further ids of the rule, in any order and with repetitions. */
  ruleIds?: readonly (string | undefined)[];
  title: string | undefined;
  description?: string | undefined;
  evidence?: string | undefined;
  severity?: string | undefined;
  resource?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
  endLine?: number | undefined;
  attributes?: readonly string[] | undefined;
  remediation?: string | undefined;
}

/** The finding in its canonical form: known severities in Salvo's words, paths normalised, nothing repeated. */
export function importedFinding(entry: Imported): Finding {
  const { ruleId, line, endLine } = entry;
  const ruleIds = [...new Set(entry.ruleIds ?? [])].filter((id) => id !== undefined && id !== ruleId);
  const attributes = [...new Set(entry.attributes ?? [])].filter((attribute) => attribute !== '');
  const fields = {
    source: entry.source,
    type: entry.type ?? '',
    rule_id: ruleId,
    rule_ids: ruleIds.length > 0 ? ruleIds : undefined,
    title: entry.title,
    description: entry.description === entry.title ? undefined : entry.description,
    evidence: entry.evidence,
    severity: readSeverity(entry.severity) ?? undefined,
    resource: entry.resource,
    file: entry.file === undefined ? undefined : normalisePath(entry.file),
    line,
    // Old versions of scanners write 0, or a line before the first.
    end_line: line !== undefined && endLine !== undefined && endLine >= line ? endLine : undefined,
    attribute: attributes.length > 1 ? attributes : attributes[0],
    remediation: entry.remediation,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
