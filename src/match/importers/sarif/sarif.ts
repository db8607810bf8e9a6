import { isRecord } from '../../../text/is-record.ts';
import type { Finding } from '../../claims/finding.ts';
import { readSeverity } from '../../claims/severity.ts';
import type { Importer } from '../findings-format.ts';
import { importedFinding } from '../imported-finding.ts';
import { firstText, listOf, recordOf, recordsOf, textOf, textsOf } from '../loose-value.ts';
import { avdId } from '../rule-ids.ts';
import { sarifLocation } from './sarif-location.ts';
import { sarifMessage } from './sarif-message.ts';
import { type SarifRules, sarifRules } from './sarif-rules.ts';

type Loose = Record<string, unknown>;

/** SARIF 2.1.0, which nearly every scanner can write. Read for what is in the standard and what scanners make of it. */
export const sarif: Importer = {
  format: 'sarif',
  name: 'a SARIF log',
  recognises(report) {
    const { version, $schema, runs } = recordOf(report);
    const saysSo = /^2\./.test(textOf(version) ?? '') || /sarif/i.test(textOf($schema) ?? '');
    return Array.isArray(runs) && saysSo && !/^1\./.test(textOf(version) ?? '');
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

/** Something is wrong, still, and nobody has accepted it. */
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

/** What a level says when nothing more precise is given: scanners write what is low as a note. */
const LEVELS: Record<string, string> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

/**
 * A SARIF level has three steps and severities have five, so a CVSS-like score or a severity among the properties goes
 * before it. Without any, a result is a warning: so the standard has it.
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

/** Snyk says the same of everything that it finds. */
function isBoilerplate(text: string | undefined): boolean {
  return text?.startsWith('This line contains a potential ') ?? false;
}

/** Some scanners put whole manuals there. */
const LONGEST_HELP = 2000;

/** Checkov's help is the title with a resource: that of the rule's first result, which may be another's. */
function helpOf(rule: Loose): string | undefined {
  const help = firstText(recordOf(rule.help).text, recordOf(rule.help).markdown)?.slice(0, LONGEST_HELP);
  return help !== undefined && /\nResource: \S+$/.test(help) ? undefined : help;
}

const SCANNERS = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'terrascan', 'snyk', 'cfn-guard'];

/** One name for a scanner, whatever it wrote: Checkov calls itself by its former owner's name in SARIF. */
function sourceOf(run: Loose): string {
  const name = (textOf(recordOf(recordOf(run.tool).driver).name) ?? 'sarif').toLowerCase();
  if (name === 'bridgecrew') return 'checkov';
  return SCANNERS.find((scanner) => name.startsWith(scanner)) ?? name;
}
