import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { failedClauses, type GuardClause } from './cfn-guard-clauses.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asList, asRecord, asReports, asText, type Loose, recordsAt } from './loose-value.ts';

/**
 * `cfn-guard validate -o json`, with or without `--structured`: one object for a template and a file of rules, or a
 * list of them. Up to version 2.0 the failed checks were grouped by the name of the rule instead.
 */
export const cfnGuard: Importer = {
  format: 'cfn-guard',
  name: "cfn-guard's JSON report",
  recognises(report) {
    const reports = asReports(report);
    return reports.length > 0 && reports.every(isReport);
  },
  findings(report) {
    return recordsAt(asReports(report), 'reports').flatMap((one) => {
      const file = asText(one.data_from) ?? asText(one.name);
      return failedRules(one.not_compliant).flatMap(({ name, clauses }) => ruleFindings(name, clauses, file));
    });
  },
};

function isReport(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Array.isArray(value.not_compliant)
    ? asList(value.not_compliant).every(isRecord)
    : isRecord(value.not_compliant) && ('compliant' in value || 'rules_from' in value);
}

interface FailedRule {
  name: string;
  clauses: GuardClause[];
}

function failedRules(notCompliant: unknown): FailedRule[] {
  if (isRecord(notCompliant)) {
    return Object.entries(notCompliant).map(([name, checks]) => ({
      name,
      clauses: recordsAt(checks, `not_compliant.${name}`).map((check) => ({
        path: asText(check.path) ?? '',
        message: asText(check.message),
      })),
    }));
  }
  return recordsAt(notCompliant, 'not_compliant').map((entry) => {
    const rule = isRecord(entry.Rule) ? entry.Rule : entry;
    const clauses = failedClauses(rule.checks);
    const message = ruleMessage(asRecord(rule.messages));
    return { name: asText(rule.name) ?? '', clauses: clauses.length > 0 ? clauses : [{ path: '', message }] };
  });
}

function ruleMessage({ custom_message, error_message }: Loose): string | undefined {
  return asText(custom_message) ?? asText(error_message);
}

/** One finding for each resource that fails a rule, however many of the rule's clauses failed. */
function ruleFindings(name: string, clauses: readonly GuardClause[], file: string | undefined): Finding[] {
  const byResource = Map.groupBy(clauses, ({ path }) => resourceIn(path));
  return [...byResource].map(([resource, failed]) => {
    const type = failed.find((clause) => clause.type !== undefined)?.type;
    const id = name.split('/').at(-1) || name;
    return importedFinding({
      source: 'cfn-guard',
      ruleId: id,
      ruleIds: [name],
      title: id,
      description: failed.find(({ message }) => message !== undefined)?.message,
      resource: resource !== '' && type !== undefined ? `${type}.${resource}` : resource || undefined,
      file,
      line: failed.find(({ line }) => line !== undefined)?.line,
      attributes: failed.map(({ path }) => attributeIn(path)),
    });
  });
}

function resourceIn(path: string): string {
  const [first, id = ''] = pathSteps(path);
  return first === 'Resources' ? id : '';
}

function attributeIn(path: string): string {
  const steps = pathSteps(path);
  const below = steps[0] === 'Resources' ? steps.slice(2) : steps;
  return below
    .slice(below[0] === 'Properties' ? 1 : 0)
    .filter((step) => !/^(?:\d+|\*)$/.test(step))
    .join('.');
}

function pathSteps(path: string): string[] {
  return path
    .slice(0, 2000)
    .split(/[/.[\]]/)
    .filter((step) => step !== '');
}
