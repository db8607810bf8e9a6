import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../../claims/finding.ts';
import { readSeverity } from '../../claims/severity.ts';
import { configRuleId } from '../cfn-guard/guard-message.ts';
import type { Importer } from '../findings-format.ts';
import { importedFinding } from '../imported-finding.ts';
import { asList, asRecord, asText, asTexts, firstText, type Loose, recordsAt } from '../loose-value.ts';
import { avdId } from '../rule-ids.ts';
import { sarifLocation } from './sarif-location.ts';
import { sarifMessage } from './sarif-message.ts';
import { type SarifRules, sarifRules } from './sarif-rules.ts';

/** SARIF 2.1.0, which nearly every scanner can write, with the peculiarities of known scanners. */
export const sarif: Importer = {
  format: 'sarif',
  name: 'a SARIF log',
  recognises(report) {
    const { version, $schema, runs } = asRecord(report);
    const isStated = /^2\./.test(asText(version) ?? '') || /sarif/i.test(asText($schema) ?? '');
    return Array.isArray(runs) && isStated && !/^1\./.test(asText(version) ?? '');
  },
  findings(report) {
    return recordsAt(asRecord(report).runs, 'runs').flatMap((run) => {
      const rules = sarifRules(run);
      const findings = recordsAt(run.results, 'runs[].results')
        .filter(isOpen)
        .map((result) => toFinding(result, run, rules));
      return scannerName(run) === 'cfn-guard' ? oneByRuleAndResource(findings) : findings;
    });
  },
};

/** Whether a result is a failure that still exists and has not been accepted. */
function isOpen({ kind, baselineState, suppressions }: Loose): boolean {
  if ((asText(kind) ?? 'fail') !== 'fail' || baselineState === 'absent') return false;
  const suppressed = asList(suppressions).filter(isRecord);
  return suppressed.length === 0 || suppressed.some(({ status }) => (asText(status) ?? 'accepted') !== 'accepted');
}

function toFinding(result: Loose, run: Loose, rules: SarifRules): Finding {
  const rule = rules(result);
  const message = sarifMessage(result, rule.rule, rule.component);
  const location = sarifLocation(result, run);
  const summary = firstText(asRecord(rule.rule.shortDescription).text, asRecord(rule.rule.fullDescription).text);
  return importedFinding({
    source: scannerName(run),
    type: rule.category,
    ruleId: rule.id,
    ruleIds: [avdId(rule.id), ...rule.furtherIds, ...(message.ids ?? [])],
    // Snyk puts the severity in front of every title.
    title: firstText(summary?.replace(/^\w+ severity - /i, ''), message.text?.split('\n')[0], rule.name, rule.id),
    description: isBoilerplate(message.text) ? asText(asRecord(rule.rule.fullDescription).text) : message.text,
    severity: message.severity ?? sarifSeverity(result, rule.rule),
    resource: location.resource ?? message.resource,
    file: location.file,
    line: message.line === undefined ? location.line : (message.line ?? undefined),
    endLine: location.endLine,
    attributes: [location.attribute ?? message.attribute ?? ''],
    remediation: message.remediation ?? ruleHelp(rule.rule),
  });
}

/** The severity of a level, used when nothing more precise is given. Scanners write low severities as notes. */
const LEVELS: Record<string, string> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

/**
 * A CVSS-like score or a severity among the properties wins over the SARIF level, which has only three steps for five
 * severities. Without a level, a result is a warning, as the standard says.
 */
function sarifSeverity(result: Loose, rule: Loose): string | undefined {
  const own = asRecord(result.properties);
  const general = asRecord(rule.properties);
  const score = cvssScore(own['security-severity']) ?? cvssScore(general['security-severity']);
  if (score !== undefined) return cvssBand(score);
  const named = [own.severity, general.severity, ...asTexts(general.tags)].find((word) => readSeverity(word) !== null);
  if (named !== undefined) return asText(named);
  const level = firstText(result.level, asRecord(rule.defaultConfiguration).level) ?? 'warning';
  return Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined;
}

function cvssScore(value: unknown): number | undefined {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}

/** The bands of CVSS 3. */
function cvssBand(score: number): string {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** Snyk writes this about everything that it finds. */
function isBoilerplate(text: string | undefined): boolean {
  return text?.startsWith('This line contains a potential ') ?? false;
}

/** Some scanners write whole manuals there. */
const LONGEST_HELP = 2000;

/** Checkov's help names the resource of the rule's first result, which may be another result's. */
function ruleHelp(rule: Loose): string | undefined {
  const help = firstText(asRecord(rule.help).text, asRecord(rule.help).markdown)?.slice(0, LONGEST_HELP);
  return help !== undefined && /\nResource: \S+$/.test(help) ? undefined : help;
}

const SCANNERS = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'terrascan', 'snyk', 'cfn-guard'];

/** One name for a scanner. In SARIF, Checkov uses the name of its former owner. */
function scannerName(run: Loose): string {
  const name = (asText(asRecord(asRecord(run.tool).driver).name) ?? 'sarif').toLowerCase();
  if (name === 'bridgecrew') return 'checkov';
  return SCANNERS.find((scanner) => name.startsWith(scanner)) ?? name;
}

/**
 * cfn-guard writes a result for each failed clause of a rule, dozens for one resource, and every one of them is an
 * error. One finding is left for each rule and resource, without a severity.
 */
function oneByRuleAndResource(findings: readonly Finding[]): Finding[] {
  const byRule = Map.groupBy(findings, ({ file, rule_id }) => JSON.stringify([file, rule_id]));
  return [...byRule.values()].flatMap((ofRule) => {
    const byResource = Map.groupBy(ofRule, ({ resource }) => [resource ?? ''].flat().join());
    // Clauses about what a rule computed have no place. They belong to the resources that its other clauses name.
    if (byResource.size > 1) byResource.delete('');
    return [...byResource.values()].map(mergedFinding);
  });
}

function mergedFinding(findings: readonly Finding[]): Finding {
  // A clause with the words of the rule's author says more than one with cfn-guard's own.
  const { severity: _, ...finding } =
    findings.find(({ title }) => !title?.startsWith('Check was not compliant')) ?? findings[0] ?? {};
  const attributes = [...new Set(findings.flatMap(({ attribute }) => attribute ?? []))];
  const [only] = attributes;
  const config = configRuleId(finding.rule_id ?? '');
  return {
    ...finding,
    ...(attributes.length > 0 ? { attribute: attributes.length > 1 ? attributes : only } : {}),
    ...(config === undefined ? {} : { rule_ids: [config, ...(finding.rule_ids ?? [])] }),
  };
}
