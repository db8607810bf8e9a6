import { isRecord } from '../../../text/is-record.ts';
import type { Finding } from '../../claims/finding.ts';
import { readSeverity } from '../../claims/severity.ts';
import type { Importer } from '../findings-format.ts';
import { importedFinding } from '../imported-finding.ts';
import { firstText, type Loose, listOf, recordOf, recordsOf, textOf, textsOf } from '../loose-value.ts';
import { avdId } from '../rule-ids.ts';
import { sarifLocation } from './sarif-location.ts';
import { sarifMessage } from './sarif-message.ts';
import { type SarifRules, sarifRules } from './sarif-rules.ts';

/** SARIF 2.1.0, which nearly every scanner can write, with the peculiarities of known scanners. */
export const sarif: Importer = {
  format: 'sarif',
  name: 'a SARIF log',
  recognises(report) {
    const { version, $schema, runs } = recordOf(report);
    const isStated = /^2\./.test(textOf(version) ?? '') || /sarif/i.test(textOf($schema) ?? '');
    return Array.isArray(runs) && isStated && !/^1\./.test(textOf(version) ?? '');
  },
  findings(report) {
    return recordsOf(recordOf(report).runs, 'runs').flatMap((run) => {
      const rules = sarifRules(run);
      return recordsOf(run.results, 'runs[].results')
        .filter(isOpen)
        .map((result) => findingOf(result, run, rules));
    });
  },
};

/** Whether a result is a failure that still exists and has not been accepted. */
function isOpen({ kind, baselineState, suppressions }: Loose): boolean {
  if ((textOf(kind) ?? 'fail') !== 'fail' || baselineState === 'absent') return false;
  const suppressed = listOf(suppressions).filter(isRecord);
  return suppressed.length === 0 || suppressed.some(({ status }) => (textOf(status) ?? 'accepted') !== 'accepted');
}

function findingOf(result: Loose, run: Loose, rules: SarifRules): Finding {
  const rule = rules.of(result);
  const message = sarifMessage(result, rule.rule, rule.component);
  const location = sarifLocation(result, run);
  const summary = firstText(recordOf(rule.rule.shortDescription).text, recordOf(rule.rule.fullDescription).text);
  return importedFinding({
    source: sourceOf(run),
    type: rule.category,
    ruleId: rule.id,
    ruleIds: [avdId(rule.id), ...rule.furtherIds],
    // Snyk puts the severity in front of every title.
    title: firstText(summary?.replace(/^\w+ severity - /i, ''), message.text?.split('\n')[0], rule.name, rule.id),
    description: isBoilerplate(message.text) ? textOf(recordOf(rule.rule.fullDescription).text) : message.text,
    severity: message.severity ?? sarifSeverity(result, rule.rule),
    resource: location.resource ?? message.resource,
    file: location.file,
    line: location.line,
    endLine: location.endLine,
    attributes: [location.attribute ?? message.attribute ?? ''],
    remediation: helpOf(rule.rule),
  });
}

/** The severity of a level, used when nothing more precise is given. Scanners write low severities as notes. */
const LEVELS: Record<string, string> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

/**
 * A CVSS-like score or a severity among the properties wins over the SARIF level, which has only three steps for five
 * severities. Without a level, a result is a warning, as the standard says.
 */
function sarifSeverity(result: Loose, rule: Loose): string | undefined {
  const own = recordOf(result.properties);
  const general = recordOf(rule.properties);
  const score = scoreOf(own['security-severity']) ?? scoreOf(general['security-severity']);
  if (score !== undefined) return bandOf(score);
  const named = [own.severity, general.severity, ...textsOf(general.tags)].find((word) => readSeverity(word) !== null);
  if (named !== undefined) return textOf(named);
  const level = firstText(result.level, recordOf(rule.defaultConfiguration).level) ?? 'warning';
  return Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined;
}

function scoreOf(value: unknown): number | undefined {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}

/** The bands of CVSS 3. */
function bandOf(score: number): string {
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
function helpOf(rule: Loose): string | undefined {
  const help = firstText(recordOf(rule.help).text, recordOf(rule.help).markdown)?.slice(0, LONGEST_HELP);
  return help !== undefined && /\nResource: \S+$/.test(help) ? undefined : help;
}

const SCANNERS = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'terrascan', 'snyk', 'cfn-guard'];

/** One name for a scanner. In SARIF, Checkov uses the name of its former owner. */
function sourceOf(run: Loose): string {
  const name = (textOf(recordOf(recordOf(run.tool).driver).name) ?? 'sarif').toLowerCase();
  if (name === 'bridgecrew') return 'checkov';
  return SCANNERS.find((scanner) => name.startsWith(scanner)) ?? name;
}
