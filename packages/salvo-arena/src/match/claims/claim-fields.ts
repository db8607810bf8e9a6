import { isRecord } from 'salvo/kit/text';
import { readLines, readList, readResources, readText } from './claim-values.ts';

/** The fields of a record by their canonical names, with all names in use. The first name present wins. */
const ALIASES = {
  id: listed('id vuln_id vulnerability_id'),
  type: listed('type vulnerability_type vuln_type issue_type category'),
  resource: listed(
    'resource resource_name target_resource resources resource_address affected_resource affected_resources resource_id',
  ),
  resource_type: listed('resource_type'),
  severity: listed('severity severity_level risk_level'),
  title: listed('title name check_name rule_name'),
  description: listed('description message details detail explanation summary'),
  technique: listed('technique stealth_technique evasion_technique injection_technique'),
  difficulty: listed('difficulty detection_difficulty'),
  evidence: listed('evidence code snippet code_snippet vulnerable_code'),
  remediation: listed('remediation recommendation fix resolution'),
  source: listed('source tool scanner'),
  confidence: listed('confidence confidence_score'),
  file: listed('file file_path filename file_name path'),
  line: listed(
    'line line_number line_number_estimate start_line line_start lines line_numbers line_range file_line_range',
  ),
  end_line: listed('end_line line_end end_line_number'),
  location: listed('location'),
  attribute: listed('attribute vulnerable_attribute attributes vulnerable_attributes attribute_path'),
  rule: listed('rule_id check_id query_id avd_id rule_ids check_ids rules rule cwe cwe_id cwe_ids cwes'),
};

type ClaimField = keyof typeof ALIASES;

/** Which key of a record holds each field. All keys that hold rule ids count, in the order of their aliases. */
export type FieldKeys = Partial<Record<Exclude<ClaimField, 'rule'>, string>> & { rules?: string[] };

const ALIAS_OF = new Map<string, { field: ClaimField; rank: number }>();
for (const field of claimFields()) {
  for (const [rank, alias] of ALIASES[field].entries()) {
    for (const spelling of spellings(alias)) ALIAS_OF.set(spelling, { field, rank });
  }
}

/**
 * Finds the fields of a record under any of their names, in snake, camel or kebab case, or as the head of a column in a
 * table (`Resource Name`, `Rule ID`). A name with an empty value is skipped. Only the record's own keys count, so a
 * prototype can add none.
 */
export function fieldKeys(record: Record<string, unknown>): FieldKeys {
  const keys: FieldKeys = {};
  for (const key of Object.keys(record)) {
    const alias = ALIAS_OF.get(key);
    if (alias === undefined || isBlank(alias.field, record[key])) continue;
    if (alias.field === 'rule') {
      keys.rules ??= [];
      keys.rules.push(key);
      continue;
    }
    const other = keys[alias.field];
    if (other === undefined || rankOf(other) > alias.rank) keys[alias.field] = key;
  }
  if (keys.rules && keys.rules.length > 1) keys.rules.sort((a, b) => rankOf(a) - rankOf(b));
  return keys;
}

export function fieldValue(record: Record<string, unknown>, key: string | undefined): unknown {
  return key === undefined ? undefined : record[key];
}

function rankOf(key: string): number {
  return ALIAS_OF.get(key)?.rank ?? Number.POSITIVE_INFINITY;
}

/** Whether the field cannot be read from the value. */
function isBlank(field: ClaimField, value: unknown): boolean {
  if (field === 'line' || field === 'end_line') return readLines(value).line === null;
  if (Array.isArray(value)) {
    return field === 'resource' ? readResources(value).length === 0 : readList(value).length === 0;
  }
  if (isRecord(value)) return field !== 'location' && (field !== 'resource' || readResources(value).length === 0);
  return readText(value) === '';
}

function claimFields(): ClaimField[] {
  return Object.keys(ALIASES).filter((field): field is ClaimField => field in ALIASES);
}

function spellings(alias: string): string[] {
  const camel = alias.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const words = alias.split('_');
  const head = words.map(capital).join(' ');
  const heads = [head, head.replace(/\bId(s?)\b/, 'ID$1'), capital(words.join(' ')), words.join(' ')];
  return [alias, camel, alias.replaceAll('_', '-'), capital(camel), ...heads];
}

function listed(text: string): string[] {
  return text.split(' ');
}
