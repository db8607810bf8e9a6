import type { Claim } from './claim.ts';
import { type FieldKeys, fieldKeys, fieldValue } from './claim-fields.ts';
import { readResources, readText } from './claim-values.ts';
import { type Finding, findingSchema } from './finding.ts';
import { readLocations } from './flaw-location.ts';
import { readClaimFields, readLabels } from './read-claim.ts';
import { type Vulnerability, vulnerabilitySchema } from './vulnerability.ts';

/** A vulnerability under the field names of the manifest. */
export function canonicalVulnerability(record: Record<string, unknown>, index: number): Vulnerability {
  const keys = fieldKeys(record);
  const claim = readClaimFields(record, keys);
  const { id, technique, difficulty } = readLabels(record, keys, index);
  return {
    id,
    ...sharedFields(record, keys, claim),
    ...stated({
      technique,
      difficulty,
      rule_ids: [...claim.rule_ids],
      locations: [...readLocations(record.locations)],
    }),
    ...otherFields(record, keys, VULNERABILITY_FIELDS),
  };
}

/** A finding under the field names of the findings document. */
export function canonicalFinding(record: Record<string, unknown>): Finding {
  const keys = fieldKeys(record);
  const claim = readClaimFields(record, keys);
  const [rule_id, ...rule_ids] = claim.rule_ids;
  return {
    ...sharedFields(record, keys, claim),
    ...stated({
      remediation: readText(fieldValue(record, keys.remediation), '\n'),
      confidence: readConfidence(fieldValue(record, keys.confidence)),
      rule_id,
      rule_ids,
    }),
    ...otherFields(record, keys, FINDING_FIELDS),
  };
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
  const { type, title, description, evidence, file, line, end_line } = claim;
  const resource = fieldValue(record, keys.resource);
  return stated({
    type,
    resource: oneOrSeveral(typeof resource === 'string' ? [resource.trim()] : readResources(resource)),
    severity: claim.severity ?? readText(fieldValue(record, keys.severity)),
    title,
    description,
    evidence,
    file,
    line,
    end_line,
    attribute: oneOrSeveral(claim.attributes),
    source: readText(fieldValue(record, keys.source)),
  });
}

function oneOrSeveral(texts: readonly string[]): string | string[] | undefined {
  return texts.length > 1 ? [...texts] : texts[0];
}

/** The fields without those that say nothing. */
function stated(fields: Finding): Finding {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
    }),
  );
}

/** Unknown fields, and aliases that were not used because a better one was there, as they are. */
function otherFields(
  record: Record<string, unknown>,
  keys: FieldKeys,
  canonical: ReadonlySet<string>,
): Record<string, unknown> {
  const { rules = [], ...single } = keys;
  const used = new Set(rules);
  for (const [field, key] of Object.entries(single)) if (canonical.has(field)) used.add(key);
  // A field called `__proto__` would be taken for the prototype when it is assigned.
  const isOther = (key: string) => !used.has(key) && !canonical.has(key) && key !== '__proto__';
  return Object.fromEntries(Object.entries(record).filter(([key]) => isOther(key)));
}
