import { parseCode } from '../../iac/parse-code.ts';
import { vulnerabilityClaim } from '../../match/claims.ts';
import { sameResource } from '../../match/resource-address.ts';
import type { Vulnerability } from '../../match/vulnerability.ts';
import { weaknessById, weaknessesOfRule } from '../../match/weaknesses/weaknesses.ts';
import type { Rule } from '../blue/rules/rule.ts';
import { allRules } from '../blue/rules/rules.ts';
import { runRules } from '../blue/rules/run-rules.ts';
import type { RuleChecker } from '../gate/rule-checker.ts';

/** Our own rules as a checker of what is claimed about this code. */
export async function createRulesChecker(files: Record<string, string>): Promise<RuleChecker> {
  const project = await parseCode(files);
  const languages = new Set(project.files.map(({ language }) => language));
  const rulesFor = (vulnerability: Vulnerability): Rule[] => {
    const weaknesses = weaknessesOf(vulnerability);
    return allRules().filter(
      (rule) => weaknesses.has(rule.weakness) && [...languages].some((language) => rule[language].length > 0),
    );
  };
  return {
    name: 'rules',
    covers: (vulnerability) => rulesFor(vulnerability).length > 0,
    fires(vulnerability) {
      const { resources } = vulnerabilityClaim(vulnerability);
      // Without a resource the flaw could be any of those that the rule finds.
      if (resources.length === 0) return null;
      const findings = runRules(project, { rules: rulesFor(vulnerability) });
      return findings.some((finding) => sameResource(resources, [finding.resource ?? []].flat()));
    },
  };
}

/** By the rules that a claim names, or by its type when that is the name of a weakness. */
function weaknessesOf(vulnerability: Vulnerability): Set<string> {
  const { type, rule_ids } = vulnerabilityClaim(vulnerability);
  return new Set([...(weaknessById(type) ? [type] : []), ...rule_ids.flatMap((id) => weaknessesOfRule(id))]);
}
