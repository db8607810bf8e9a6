import { isRecord, quoteOutput } from 'salvo/kit/text';
import { JudgeError } from '../../claims/judge-error.ts';
import { asRecord, asText, asTexts, firstText, type Loose, recordsAt } from '../loose-value.ts';

/** One check of one resource that did not pass. */
export interface NagCheck {
  source: string;
  /** `AwsSolutions-IAM5`. */
  rule: string;
  /** The rule without the name of its pack, if the pack is known: `IAM5`. */
  name: string;
  /** What exactly was found, if the check says so: `Action::s3:*`. */
  detail: string | undefined;
  /** The logical id in the template, or the last name of the construct's path. */
  resource: string | undefined;
  text: string | undefined;
  severity: string | undefined;
  attributes: string[];
  fix: string | undefined;
  /** Whether the rule failed itself, mostly because it cannot read a function of CloudFormation. */
  isUnjudged: boolean;
}

/** A report of version 2, as JSON or CSV: a line for every check, also for those that passed or were suppressed. */
export function checksOfLines(lines: readonly Loose[]): NagCheck[] {
  return lines.flatMap((line) => {
    const compliance = asText(line.compliance) ?? '';
    const isUnjudged = /^unknown$/i.test(compliance);
    if (!isUnjudged && !/^non-?compliant$/i.test(compliance)) return [];
    const rule = asText(line.ruleId) ?? '';
    return {
      source: 'cdk-nag',
      ...namesOfRule(rule, packOf(rule)),
      resource: constructName(asText(line.resourceId)),
      text: asText(line.ruleInfo),
      severity: undefined,
      attributes: [],
      fix: undefined,
      isUnjudged,
    };
  });
}

/**
 * The validation report that the CDK writes, with the violations of all plug-ins. From version 3 on, the packs of
 * cdk-nag are such plug-ins. What was acknowledged is in a list of its own.
 */
export function checksOfPlugins(reports: readonly Loose[]): NagCheck[] {
  return reports.flatMap((report) => {
    const plugin = firstText(report.pluginName, asRecord(report.summary).pluginName) ?? '';
    const violations = recordsAt(report.violations, 'pluginReports.violations');
    const error = firstText(asRecord(report.metadata).error, asRecord(asRecord(report.summary).metadata).error);
    if (violations.length === 0 && error !== undefined) throw pluginFailed(error);
    return violations.filter(isAboutSecurity).flatMap((violation) => checksOfViolation(violation, plugin));
  });
}

function pluginFailed(error: string): JudgeError {
  const message = `a plug-in of the CDK failed, so the report is not complete: ${quoteOutput(error, { length: 300 })}`;
  return new JudgeError('FINDINGS_INVALID', message);
}

/** The CDK's own check of templates gives a category, which is mostly about syntax and style. */
function isAboutSecurity({ ruleMetadata }: Loose): boolean {
  const category = asText(asRecord(ruleMetadata).category);
  return category === undefined || /security/i.test(category);
}

function checksOfViolation(violation: Loose, plugin: string): NagCheck[] {
  const rule = asText(violation.ruleName) ?? '';
  const isOfPack = rule.startsWith(`${plugin}-`);
  const text = asText(violation.description);
  const check = {
    source: isOfPack || plugin === '' ? 'cdk-nag' : plugin,
    ...namesOfRule(rule, isOfPack ? plugin : ''),
    text,
    severity: firstText(violation.customSeverity, customSeverity(violation.severity)),
    fix: firstText(violation.suggestedFix, violation.fix),
    isUnjudged: isOfPack && (text?.startsWith(THREW) ?? false),
  };
  const constructs = violation.violatingConstructs ?? violation.violatingResources;
  return recordsAt(constructs, 'violatingConstructs').map((construct) => ({ ...check, ...placeOf(construct) }));
}

/** Version 3 reports a rule that failed itself like a violation, with this text. */
const THREW = 'Rule threw an error during validation.';
/** These say whether the synthesis fails, not how bad the flaw is: nearly all rules of cdk-nag are errors. */
const LEVELS = /^(?:fatal|error|warning|info)$/i;

function customSeverity(severity: unknown): string | undefined {
  const word = asText(severity);
  return word === undefined || LEVELS.test(word) ? undefined : word;
}

function placeOf(construct: Loose): Pick<NagCheck, 'resource' | 'attributes'> {
  const resource = isRecord(construct.cloudFormationResource) ? construct.cloudFormationResource : construct;
  const logicalId = firstText(resource.logicalId, resource.resourceLogicalId);
  const paths = asTexts(resource.propertyPaths ?? construct.locations);
  return {
    resource:
      logicalId === undefined || logicalId === 'N/A' ? constructName(asText(construct.constructPath)) : logicalId,
    attributes: paths.map((path) => path.replace(/^Properties\.?/, '')).filter((path) => path !== ''),
  };
}

/** `AwsSolutions-IAM5[Action::s3:*]` has a detail in brackets. */
function namesOfRule(id: string, pack: string): Pick<NagCheck, 'rule' | 'name' | 'detail'> {
  const bracket = id.indexOf('[');
  const rule = bracket < 0 ? id : id.slice(0, bracket);
  const detail = bracket < 0 ? undefined : id.slice(bracket + 1).replace(/\]$/, '');
  return { rule, name: pack === '' ? rule : rule.slice(pack.length + 1), detail };
}

/** The names of checks have no hyphen; those of packs may have dots. */
function packOf(rule: string): string {
  const hyphen = rule.indexOf('-');
  return hyphen < 0 ? '' : rule.slice(0, hyphen);
}

/**
 * `Stack/Template/Bucket` is the resource `Bucket`. Constructs of a higher level call the resource in them `Resource`
 * or `Default`.
 */
function constructName(path: string | undefined): string | undefined {
  const names = path?.split('/').filter((name) => name !== '' && name !== 'Resource' && name !== 'Default');
  return names?.at(-1);
}
