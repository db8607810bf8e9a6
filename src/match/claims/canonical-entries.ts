import type { Claim } from './claim.ts';
import { type FieldKeys, fieldKeys, fieldValue } from './claim-fields.ts';
import { readResources, readText } from './claim-values.ts';
import { type Finding, findingSchema } from './finding.ts';
import { readClaimFields, readLabels } from './read-claim.ts';
import { type Vulnerability, vulnerabilitySchema } from './vulnerability.ts';

/** A vulnerability under the field names of the manifest. */
export function canonicalVulnerability(record: Record<string, unknown>, index: number): Vulnerability {
  const keys = fieldKeys(record);
  const claim = readClaimFields(record, keys);
  const { id, technique, difficulty } = readLabels(record, keys, index);
  const vulnerability: Vulnerability = { id, ...sharedFields(record, keys, claim) };
  if (technique !== '') vulnerability.technique = technique;
  if (difficulty !== '') vulnerability.difficulty = difficulty;
  if (claim.rule_ids.length > 0) vulnerability.rule_ids = [...claim.rule_ids];
  copyOtherFields(record, keys, VULNERABILITY_FIELDS, vulnerability);
  return vulnerability;
}

/** A finding under the field names of the findings document. */
export function canonicalFinding(record: Record<string, unknown>): Finding {
  const keys = fieldKeys(record);
  const claim = readClaimFields(record, keys);
  const finding: Finding = sharedFields(record, keys, claim);
  const remediation = readText(fieldValue(record, keys.remediation), '\n');
  const confidence = readConfidence(fieldValue(record, keys.confidence));
  const [ruleId, ...furtherIds] = claim.rule_ids;
  if (remediation !== '') finding.remediation = remediation;
  if (confidence !== null) finding.confidence = confidence;
  if (ruleId !== undefined) finding.rule_id = ruleId;
  if (furtherIds.length > 0) finding.rule_ids = furtherIds;
  copyOtherFields(record, keys, FINDING_FIELDS, finding);
  return finding;
}

const VULNERABILITY_FIELDS: ReadonlySet<string> = new Set(Object.keys(vulnerabilitySchema.shape));
const FINDING_FIELDS: ReadonlySet<string> = new Set(Object.keys(findingSchema.shape));

function readConfidence(value: unknown): number | null {
  const text = readText(value);
  const number = Number(text.replace(/%$/, ''));
  if (text === '' || !Number.isFinite(number)) return null;
  return text.endsWith('%') ? number / 100 : number;
}

/** The fields that vulnerabilities and findings share, each only where it is stated. */
function sharedFields(record: Record<string, unknown>, keys: FieldKeys, claim: Claim): Finding {
  const fields: Finding = {};
  const resource = fieldValue(record, keys.resource);
  const source = readText(fieldValue(record, keys.source));
  const severity = claim.severity ?? readText(fieldValue(record, keys.severity));
  const [first, ...more] = typeof resource === 'string' ? [resource.trim()] : readResources(resource);
  if (claim.type !== '') fields.type = claim.type;
  if (first !== undefined) fields.resource = more.length > 0 ? [first, ...more] : first;
  if (severity !== '') fields.severity = severity;
  if (claim.title !== '') fields.title = claim.title;
  if (claim.description !== '') fields.description = claim.description;
  if (claim.evidence !== '') fields.evidence = claim.evidence;
  if (claim.file !== null) fields.file = claim.file;
  if (claim.line !== null) fields.line = claim.line;
  if (claim.end_line !== null) fields.end_line = claim.end_line;
  const [attribute, ...attributes] = claim.attributes;
  if (attribute !== undefined) fields.attribute = attributes.length > 0 ? [attribute, ...attributes] : attribute;
  if (source !== '') fields.source = source;
  return fields;
}

/** Keeps unknown fields, and aliases that were not used because a better one was there, as they are. */
function copyOtherFields(
  record: Record<string, unknown>,
  keys: FieldKeys,
  canonical: ReadonlySet<string>,
  target: Record<string, unknown>,
): void {
  const { rules = [], ...single } = keys;
  const used = new Set(rules);
  for (const [field, key] of Object.entries(single)) if (canonical.has(field)) used.add(key);
  for (const key of Object.keys(record)) {
    // Assigning to `__proto__` would change the object's prototype.
    if (!used.has(key) && !canonical.has(key) && key !== '__proto__') target[key] = record[key];
  }
}
