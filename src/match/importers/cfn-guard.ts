import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asList, asRecord, asReports, asText, type Loose, recordsAt } from './loose-value.ts';

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

/** A clause of a rule that a template did not meet. */
interface GuardClause {
  /** `/Resources/Bucket/Properties/BucketEncryption`: as far as the template goes, then the missing part. */
  path: string;
  message?: string | undefined;
  line?: number | undefined;
  /** The type of the resource, when the clause is about the whole resource. */
  type?: string | undefined;
}

/**
 * The failed clauses among a rule's checks, including those inside blocks, alternatives and rules that it calls. Uses a
 * list instead of recursion, since a report may be nested deeply enough to overflow the stack.
 */
function failedClauses(checks: unknown): GuardClause[] {
  const clauses: GuardClause[] = [];
  const waiting = [...asList(checks)].reverse();
  for (let check = waiting.pop(); check !== undefined; check = waiting.pop()) {
    const { Clause, Disjunctions, Rule, Block } = asRecord(check);
    if (isRecord(Clause)) clauses.push(readClause(Clause));
    if (isRecord(Block)) clauses.push(readBlock(Block));
    const inner = asList(asRecord(Disjunctions ?? Rule).checks);
    for (let index = inner.length - 1; index >= 0; index -= 1) waiting.push(inner[index] ?? null);
  }
  return clauses;
}

function readClause(clause: Loose): GuardClause {
  const { messages, check } = asRecord(clause.Unary ?? clause.Binary);
  const { Resolved, InResolved, UnResolved } = asRecord(check);
  const place = isRecord(UnResolved)
    ? unresolvedPlace(asRecord(UnResolved.value))
    : resolvedPlace(asRecord(Resolved ?? InResolved));
  return { ...place, ...readMessages(messages) };
}

/** A block that applied to nothing in the template. */
function readBlock({ messages, unresolved }: Loose): GuardClause {
  return { ...unresolvedPlace(asRecord(unresolved)), ...readMessages(messages) };
}

/** The line is given only in the message. Old versions count lines from 0, which is close enough. */
function readMessages(messages: unknown): Pick<GuardClause, 'message' | 'line'> {
  const { custom_message, error_message } = asRecord(messages);
  const error = asText(error_message);
  const line = asLine(/\[L:(\d{1,9}),C:\d{1,9}\]/.exec(error ?? '')?.[1]);
  return { message: asText(custom_message) ?? withoutValue(error), line };
}

function unresolvedPlace({ traversed_to, remaining_query }: Loose): GuardClause {
  const { path, value } = asRecord(traversed_to);
  const reached = asText(path) ?? '';
  const missing = asText(remaining_query);
  return { path: missing === undefined ? reached : `${reached}/${missing}`, type: typeIn(reached, value) };
}

function resolvedPlace({ value, from }: Loose): GuardClause {
  const place = asRecord(from ?? value);
  const path = asText(place.path) ?? '';
  return { path, type: typeIn(path, place.value) };
}

function typeIn(path: string, value: unknown): string | undefined {
  return /^\/?Resources\/[^/]+$/.test(path) ? asText(asRecord(value).Type) : undefined;
}

/** The error message quotes the template after this point. */
function withoutValue(message: string | undefined): string | undefined {
  const end = message?.search(/ Value traversed to | \[Path=/) ?? -1;
  return end < 0 ? message : message?.slice(0, end).trim();
}
