import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { resourceInText } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asRecord, asText, firstText, type Loose, recordsAt } from './loose-value.ts';

/** `tfsec -f json`. A clean run writes `{"results": null}`. */
export const tfsec: Importer = {
  format: 'tfsec',
  name: "tfsec's JSON report",
  recognises(report) {
    const { results, ...others } = asRecord(report);
    if (results === null || (Array.isArray(results) && results.length === 0)) return Object.keys(others).length === 0;
    return Array.isArray(results) && results.every(isResult);
  },
  findings(report) {
    return recordsAt(asRecord(report).results, 'results').filter(hasFailed).map(toFinding);
  },
};

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return typeof value.long_id === 'string' || ('rule_id' in value && ('location' in value || 'rule_provider' in value));
}

/** A status is 0 for failed, 1 for passed, 2 for ignored. Versions without a status have `passed`. */
function hasFailed({ status, passed }: Loose): boolean {
  if (passed === true) return false;
  return typeof status === 'number' ? status === 0 : !/^(?:passed|ignored)$/i.test(asText(status) ?? '');
}

function toFinding(result: Loose): Finding {
  const location = asRecord(result.location);
  const description = asText(result.description);
  const id = firstText(result.rule_id, result.long_id);
  return importedFinding({
    source: 'tfsec',
    ruleId: id,
    ruleIds: [asText(result.long_id), asText(result.legacy_rule_id)],
    title: firstText(result.rule_description, description, id),
    description,
    severity: asText(result.severity),
    resource: asText(result.resource) ?? resourceInText(description ?? ''),
    file: asText(location.filename),
    line: asLine(location.start_line),
    endLine: asLine(location.end_line),
    remediation: asText(result.resolution),
  });
}
