import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../../claims/finding.ts';
import type { Importer, NotJudged } from '../findings-format.ts';
import { importedFinding } from '../imported-finding.ts';
import { asRecord, asReports, type Loose, recordsAt } from '../loose-value.ts';
import { checksOfLines, checksOfPlugins, type NagCheck } from './nag-checks.ts';

/**
 * cdk-nag: up to version 2 a report for each pack and stack (`AwsSolutions-Stack-NagReport.json`, or `.csv`), from
 * version 3 on the `validation-report.json` of the CDK, formerly `policy-validation-report.json`.
 */
export const cdkNag: Importer = {
  format: 'cdk-nag',
  name: "cdk-nag's report",
  recognises(report) {
    const reports = asReports(report);
    return reports.length > 0 && reports.every((one) => isNagReport(one) || isValidationReport(one));
  },
  findings: (report) => findingsOf(checksOf(report).filter(({ isUnjudged }) => !isUnjudged)),
  notJudged: (report) => unjudged(checksOf(report)),
  hasSeenNothing: (report) => asReports(report).every((one) => isNagReport(one) && linesOf(one).length === 0),
};

function isNagReport(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.lines)) return false;
  const [first] = value.lines;
  return first === undefined ? Object.keys(value).length === 1 : 'ruleId' in asRecord(first);
}

function isValidationReport(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.pluginReports);
}

function checksOf(report: unknown): NagCheck[] {
  return asReports(report).flatMap((one) =>
    isValidationReport(one)
      ? checksOfPlugins(recordsAt(asRecord(one).pluginReports, 'pluginReports'))
      : checksOfLines(linesOf(one)),
  );
}

function linesOf(report: unknown): Loose[] {
  return recordsAt(asRecord(report).lines, 'lines');
}

/**
 * One finding for each thing that a check found at a resource, however many packs have the check. A pack may report a
 * check several times for a resource: version 3 says for what, version 2 writes the same line again.
 */
function findingsOf(checks: readonly NagCheck[]): Finding[] {
  const times = new Map<string, number>();
  const groups = Map.groupBy(checks, ({ source, rule, name, detail, resource }) => {
    const ofPack = JSON.stringify([rule, detail, resource]);
    const time = (times.get(ofPack) ?? 0) + 1;
    times.set(ofPack, time);
    return JSON.stringify([source, name, detail, resource, time]);
  });
  return [...groups.values()].map(toFinding);
}

function toFinding(group: readonly NagCheck[]): Finding {
  const ids = group.map(({ rule, detail }) => (detail === undefined ? rule : `${rule}[${detail}]`));
  const [id, ...others] = ids.filter((one) => one !== '');
  const { source = 'cdk-nag', detail, severity, resource, fix, text } = group[0] ?? {};
  const { title = id, description } = readNagText(text);
  return importedFinding({
    source,
    ruleId: id,
    ruleIds: others,
    title: detail === undefined ? title : `${title} (${detail})`,
    description,
    evidence: detail,
    severity,
    resource,
    attributes: group.flatMap(({ attributes }) => attributes),
    remediation: fix,
  });
}

/** Each check of a resource once, however many packs have it. */
function unjudged(checks: readonly NagCheck[]): NotJudged[] {
  const failed = checks.filter(({ isUnjudged }) => isUnjudged);
  const byCheck = Map.groupBy(failed, ({ name, resource }) => JSON.stringify([name, resource]));
  return [...byCheck.values()].flatMap(([first]) =>
    first ? [{ rule_id: first.rule, resource: first.resource ?? null }] : [],
  );
}

const CONTROLS = ' - (Control ID';

/**
 * `The table is not encrypted - (Control IDs: 1.2(a), 3.4). To protect data, ...`: a sentence, the numbers of controls
 * in a standard, and an explanation if it was asked for.
 */
function readNagText(text: string | undefined): { title?: string; description?: string | undefined } {
  if (text === undefined) return {};
  const controls = text.indexOf(CONTROLS);
  const end = controls < 0 ? text.indexOf('. ') : text.indexOf(').', controls);
  const title = controls < 0 ? (end < 0 ? text : text.slice(0, end + 1)) : `${text.slice(0, controls)}.`;
  const rest = end < 0 ? '' : text.slice(end + 2).trim();
  return { title, description: rest === '' ? undefined : rest };
}
