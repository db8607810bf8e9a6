import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { type BlockPath, readBlockPath } from './block-path.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asList, asRecord, asText, firstText, type Loose, recordsAt } from './loose-value.ts';
import { cweIds } from './rule-ids.ts';

/** `kics scan --report-formats json`: queries, each with the places that failed it. */
export const kics: Importer = {
  format: 'kics',
  name: "KICS's JSON report",
  recognises(report) {
    const { queries, kics_version, severity_counters, queries_total } = asRecord(report);
    if (queries !== null && queries !== undefined && !Array.isArray(queries)) return false;
    if (kics_version !== undefined || severity_counters !== undefined || queries_total !== undefined) return true;
    return asList(queries).length > 0 && asList(queries).every((query) => isRecord(query) && 'query_id' in query);
  },
  findings(report) {
    const { queries } = asRecord(report);
    return recordsAt(queries, 'queries').flatMap((query) =>
      recordsAt(query.files, 'queries[].files')
        // An inventory, not a flaw.
        .filter(({ issue_type }) => issue_type !== 'BillOfMaterials')
        .map((place) => toFinding(query, place)),
    );
  },
  hasSeenNothing: (report) => asRecord(report).files_scanned === 0,
};

function toFinding(query: Loose, place: Loose): Finding {
  const path = readBlockPath(asText(place.search_key) ?? '');
  return importedFinding({
    source: 'kics',
    type: categoryWord(asText(query.category)),
    ruleId: asText(query.query_id),
    ruleIds: cweIds(query.cwe),
    title: firstText(query.query_name, query.query_id),
    description: asText(query.description),
    evidence: asText(place.actual_value),
    severity: firstText(place.severity, query.severity),
    resource: resourceAddress(path, place),
    file: asText(place.file_name),
    line: asLine(place.line),
    attributes: [path?.attribute || missingAttribute(place)],
    remediation: firstText(place.expected_value, place.remediation),
  });
}

/** A missing attribute has no place: KICS points at the resource and names the attribute in words. */
function missingAttribute({ search_value, actual_value }: Loose): string {
  const value = asText(search_value) ?? '';
  if (/^[A-Za-z_][\w.]{0,100}$/.test(value)) return value;
  const [, attribute = ''] = NOT_SET.exec(asText(actual_value) ?? '') ?? [];
  return attribute;
}

/** `'logging' is undefined`, `aws_redshift_cluster[main].logging is undefined or null`. */
const NOT_SET =
  /^['"`]?(?:[a-z][a-z0-9]*_\w{1,100}(?:\[[^\]]{1,100}\])?\.)?([A-Za-z_][\w.]{0,100})['"`]? is (?:undefined|not (?:set|defined))/;

/**
 * The address comes from `search_key`, because `resource_name` is often the name in the cloud (`bucket` or `name`), not
 * the one in the code.
 */
function resourceAddress(path: BlockPath | null, place: Loose): string | undefined {
  const type = asText(place.resource_type);
  if (path?.language === 'terraform') return path.resource;
  if (path) return type?.includes('::') ? `${type}.${path.resource}` : path.resource;
  const name = knownText(place.resource_name);
  if (name !== undefined) return knownText(type) === undefined ? name : `${type}.${name}`;
  return /^(?:data\.)?[a-z][a-z0-9]*_\w{1,100}\.[\w-]{1,200}/.exec(asText(place.search_key) ?? '')?.[0];
}

/** KICS writes `unknown` or `n/a` when it could not tell. */
function knownText(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined || /^(?:unknown|n\/a)$/i.test(text) ? undefined : text;
}
