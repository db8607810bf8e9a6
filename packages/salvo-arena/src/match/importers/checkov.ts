import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import {
  asLine,
  asList,
  asRecord,
  asReports,
  asText,
  asTexts,
  firstText,
  type Loose,
  recordsAt,
} from './loose-value.ts';
import { cweIds } from './rule-ids.ts';

/**
 * `checkov -o json`: one object, or a list with one for each framework. A framework that found nothing to check
 * gives only a summary of zeros. A bare list of checks is read as well.
 */
export const checkov: Importer = {
  format: 'checkov',
  name: "Checkov's JSON report",
  recognises(report) {
    const reports = asReports(report);
    return reports.length > 0 && (reports.every(isReport) || reports.every(isCheck));
  },
  findings(report) {
    const reports = asReports(report);
    if (reports.length > 0 && reports.every(isCheck)) return failedChecks(recordsAt(reports, 'checks'), '');
    return recordsAt(reports, 'reports').flatMap((one) => {
      const checks = isRecord(one.results) ? one.results.failed_checks : one.failed_checks;
      return failedChecks(recordsAt(checks, 'results.failed_checks'), asText(one.check_type) ?? '');
    });
  },
  hasSeenNothing(report) {
    const summaries = asReports(report).map((one) => asRecord(asRecord(one).summary ?? one));
    return summaries.length > 0 && summaries.every(({ resource_count }) => resource_count === 0);
  },
};

function isReport(value: unknown): boolean {
  const { results, passed_checks, failed_checks, resource_count, checkov_version } = asRecord(value);
  if (isRecord(results)) return 'failed_checks' in results || 'passed_checks' in results;
  const isSummary = typeof resource_count === 'number' && typeof checkov_version === 'string';
  return Array.isArray(passed_checks) || Array.isArray(failed_checks) || isSummary;
}

function isCheck(value: unknown): boolean {
  const { check_id, check_name, check_result } = asRecord(value);
  return typeof check_id === 'string' && (typeof check_name === 'string' || isRecord(check_result));
}

function failedChecks(checks: readonly Loose[], framework: string): Finding[] {
  return checks.filter((check) => !hasPassed(check)).map((check) => toFinding(check, framework));
}

function hasPassed(check: Loose): boolean {
  const result = firstText(asRecord(check.check_result).result, check.check_result) ?? 'FAILED';
  return !/^fail/i.test(result);
}

function toFinding(check: Loose, framework: string): Finding {
  const [start, end] = asList(check.file_line_range);
  const id = asText(check.check_id);
  const bridgecrewId = asText(check.bc_check_id);
  const details = asRecord(check.vulnerability_details);
  return importedFinding({
    source: 'checkov',
    type: findingType(framework, bridgecrewId, asText(details.id)),
    ruleId: id,
    ruleIds: [bridgecrewId, asText(details.id), ...cweIds(check.cwe, details.cwe)],
    title: firstText(check.check_name, id),
    description: firstText(check.description, details.description, check.short_description),
    severity: firstText(check.severity, details.severity),
    resource: resourceAddress(check, framework),
    // Relative to the scanned folder, in spite of its slash.
    file: firstText(check.file_path, check.repo_file_path)?.replace(/^[/\\]+(?=[^/\\])/, ''),
    line: asLine(start),
    endLine: asLine(end),
    attributes: evaluatedAttributes(check),
    remediation: firstText(check.guideline, details.recommendation),
  });
}

const PLATFORM_ID = /^BC_[A-Z0-9]+_(IAM|LOGGING|NETWORKING|SECRETS|ENCRYPTION|PUBLIC|MONITORING)_\d+$/;

/** Checkov's own ids have only numbers, but the ids of its platform have a category: `BC_AWS_LOGGING_3`. */
function findingType(framework: string, bridgecrewId = '', cve?: string): string {
  if (framework === 'secrets') return 'secret';
  if (cve !== undefined) return 'dependency';
  const [, category] = PLATFORM_ID.exec(bridgecrewId) ?? [];
  return category === 'PUBLIC' ? 'access_control' : categoryWord(category);
}

/** The address with its module, if any. For a secret, Checkov gives a hash, which names no resource. */
function resourceAddress(check: Loose, framework: string): string | undefined {
  const resource = firstText(check.resource_address, check.resource);
  if (resource === undefined || framework === 'secrets' || /^[0-9a-f]{40}$/.test(resource)) return undefined;
  return resource;
}

/** `versioning/[0]/enabled` is `versioning.enabled`. CloudFormation's `Properties` is dropped. */
function evaluatedAttributes(check: Loose): string[] {
  const keys = asTexts(check.evaluated_keys ?? asRecord(check.check_result).evaluated_keys);
  return keys.map((key) =>
    key
      .split(/[/.]/)
      .filter((step) => step !== '' && !/^\[?\d+\]?$/.test(step) && step !== '*' && step !== '[*]')
      .join('.')
      .replace(/^Properties\./, ''),
  );
}
