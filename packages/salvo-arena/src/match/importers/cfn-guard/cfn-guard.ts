import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../../claims/finding.ts';
import { type BlockPath, readBlockPath } from '../block-path.ts';
import type { Importer } from '../findings-format.ts';
import { importedFinding } from '../imported-finding.ts';
import { asList, asReports, asText, type Loose, recordsAt } from '../loose-value.ts';
import { failedClauses, type GuardClause, ruleMessage } from './failed-clauses.ts';
import { configRuleId, readGuardText } from './guard-message.ts';

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
      return failedRules(one.not_compliant).flatMap((rule) => ruleFindings(rule, file));
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
      clauses: recordsAt(checks, `not_compliant.${name}`).map(oldClause),
    }));
  }
  return recordsAt(notCompliant, 'not_compliant').map((entry) => {
    const rule = isRecord(entry.Rule) ? entry.Rule : entry;
    const clauses = failedClauses(rule);
    const message = ruleMessage(rule.messages);
    return { name: asText(rule.name) ?? '', clauses: clauses.length > 0 ? clauses : [{ path: '', message }] };
  });
}

function oldClause({ path, message }: Loose): GuardClause {
  return { path: asText(path) ?? '', message: asText(message) };
}

/** One finding for each resource that fails a rule, however many of the rule's clauses failed. */
function ruleFindings({ name, clauses }: FailedRule, file: string | undefined): Finding[] {
  const byResource = Map.groupBy(clauses, (clause) => placeIn(clause)?.resource ?? '');
  // Clauses about what a rule computed have no place. They belong to the resources that its other clauses name.
  if (byResource.size > 1) byResource.delete('');
  return [...byResource].map(([resource, failed]) => {
    const type = failed.find((clause) => clause.type !== undefined)?.type;
    const id = name.split('/').at(-1) || name;
    const messages = [...new Set(failed.flatMap(({ message }) => message ?? []))].map(readGuardText);
    const { title, fix } = messages[0] ?? {};
    const errors = failed.flatMap(({ error }) => error ?? []);
    return importedFinding({
      source: 'cfn-guard',
      ruleId: id,
      ruleIds: [name, configRuleId(id), ...messages.flatMap(({ ids }) => ids)],
      title: title ?? id,
      description: messages.length > 1 ? messages.map((each) => each.title ?? '').join(' ') : (title ?? errors[0]),
      resource: resource !== '' && type !== undefined ? `${type}.${resource}` : resource || undefined,
      file,
      line: resource === '' ? undefined : failed.find(({ line }) => line !== undefined)?.line,
      attributes: failed.map((clause) => placeIn(clause)?.attribute ?? ''),
      remediation: fix,
    });
  });
}

/** Null for a place outside of resources. A clause about `Type` asks whether the template has such a resource. */
function placeIn({ path }: GuardClause): BlockPath | null {
  const place = readBlockPath(path.startsWith('/') ? path : `/${path}`);
  return place?.language === 'cloudformation' && place.attribute !== 'Type' ? place : null;
}
