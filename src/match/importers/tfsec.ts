import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { resourceInText } from './block-path.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { firstText, type Loose, lineOf, recordOf, recordsOf, textOf } from './loose-value.ts';

/** `tfsec -f json`. A clean run writes `{"results": null}`. */
export const tfsec: Importer = {
  format: 'tfsec',
  name: "tfsec's JSON report",
  recognises(report) {
    const { results, ...others } = recordOf(report);
    if (results === null || (Array.isArray(results) && results.length === 0)) return Object.keys(others).length === 0;
    return Array.isArray(results) && results.every(isResult);
  },
  findings(report) {
    return recordsOf(recordOf(report).results, 'results').filter(hasFailed).map(findingOf);
  },
};

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return typeof value.long_id === 'string' || ('rule_id' in value && ('location' in value || 'rule_provider' in value));
}

/** A status is 0 for failed, 1 for passed, 2 for ignored. Versions without a status have `passed`. */
function hasFailed({ status, passed }: Loose): boolean {
  if (passed === true) return false;
  return typeof status === 'number' ? status === 0 : !/^(?:passed|ignored)$/i.test(textOf(status) ?? '');
}

function findingOf(result: Loose): Finding {
  const location = recordOf(result.location);
  const description = textOf(result.description);
  const id = firstText(result.rule_id, result.long_id);
  return importedFinding({
    source: 'tfsec',
    ruleId: id,
    ruleIds: [textOf(result.long_id), textOf(result.legacy_rule_id)],
    title: firstText(result.rule_description, description, id),
    description,
    severity: textOf(result.severity),
    resource: textOf(result.resource) ?? resourceInText(description ?? ''),
    file: textOf(location.filename),
    line: lineOf(location.start_line),
    endLine: lineOf(location.end_line),
    remediation: textOf(result.resolution),
  });
}
