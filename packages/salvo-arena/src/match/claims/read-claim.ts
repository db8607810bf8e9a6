import { isRecord } from 'salvo/kit/text';
import type { Claim } from './claim.ts';
import { type FieldKeys, fieldKeys, fieldValue } from './claim-fields.ts';
import { readFile, readLines, readList, readResources, readText } from './claim-values.ts';
import { parseAddress } from './resource-address.ts';
import { readSeverity } from './severity.ts';

/** What a vulnerability is called besides what it claims. No matcher looks at these. */
export type VulnerabilityLabels = ReturnType<typeof readLabels>;

/** What a vulnerability or a finding claims. The record may use any of the field names that `fieldKeys` knows. */
export function readClaim(record: Record<string, unknown>): Claim {
  return readClaimFields(record, fieldKeys(record));
}

/** The same with the keys of the fields, where they are known already. */
export function readClaimFields(record: Record<string, unknown>, keys: FieldKeys): Claim {
  const { file, line, end_line } = readPlace(record, keys);
  return {
    type: readText(fieldValue(record, keys.type)),
    resources: keys.resource === undefined ? [] : typedResources(record, keys),
    severity: readSeverity(fieldValue(record, keys.severity)),
    title: readText(fieldValue(record, keys.title)),
    description: readText(fieldValue(record, keys.description), ' '),
    evidence: readText(fieldValue(record, keys.evidence), '\n'),
    attributes: keys.attribute === undefined ? [] : readList(record[keys.attribute]),
    file,
    line,
    end_line,
    rule_ids: keys.rules === undefined ? [] : readRuleIds(record, keys.rules),
    locations: [],
  };
}

/** The labels of the vulnerability at `index`, which is counted from 0. One that is not stated is empty. */
export function readLabels(record: Record<string, unknown>, keys: FieldKeys, index: number) {
  const text = (key: string | undefined) => (key === undefined ? '' : readText(record[key]));
  return {
    /** Its position when it states no id: `#3`. */
    id: text(keys.id) || `#${index + 1}`,
    difficulty: text(keys.difficulty),
    technique: text(keys.technique),
    /** The id of its weakness in the catalogue. */
    weakness: readText(record.weakness),
  };
}

/** Completes a bare name with the type next to it: `resource_name: data, resource_type: aws_s3_bucket`. */
function typedResources(record: Record<string, unknown>, keys: FieldKeys): string[] {
  const resources = readResources(fieldValue(record, keys.resource));
  const type = fieldValue(record, keys.resource_type);
  if (typeof type !== 'string') return resources;
  const stated = parseAddress(type);
  // Only a type such as `aws_s3_bucket` can begin an address; `S3 bucket` cannot.
  if (stated.name !== null || stated.type === null) return resources;
  return resources.map((resource) => {
    const address = parseAddress(resource);
    return address.type === null && address.name !== null && !/\s/.test(address.name)
      ? `${type.trim()}.${resource}`
      : resource;
  });
}

/** The file and the lines, which may also be given together: `main.tf:12-15`, `location: {file, line}`. */
function readPlace(record: Record<string, unknown>, keys: FieldKeys): Pick<Claim, 'file' | 'line' | 'end_line'> {
  const location = fieldValue(record, keys.location);
  if (isRecord(location) && keys.file === undefined && keys.line === undefined) {
    const { location: _, ...inside } = fieldKeys(location);
    return readPlace(location, inside);
  }
  if (keys.file === undefined && keys.line === undefined && typeof location !== 'string') {
    return { file: null, line: null, end_line: null };
  }
  const { file, lines: linesInPath } = readFile(fieldValue(record, keys.file) ?? location);
  const lines = keys.line === undefined ? linesInPath : readLines(record[keys.line]);
  const end = keys.end_line === undefined ? null : readLines(record[keys.end_line]).line;
  return {
    file,
    line: lines.line,
    end_line: lines.line !== null && end !== null && end >= lines.line ? end : lines.end_line,
  };
}

function readRuleIds(record: Record<string, unknown>, keys: readonly string[]): string[] {
  const ids = keys.flatMap((key) => {
    const values = readList(record[key]);
    // A CWE is often given as a bare number, or followed by its name.
    return /^cwe/i.test(key) ? values.map((value) => value.replace(/^(?:cwe[-: ]?)?(\d+)\b.*$/i, 'CWE-$1')) : values;
  });
  return ids.length > 1 ? [...new Set(ids)] : ids;
}
