import { allRules, type Rule } from '../blue/rules/rules.ts';
import { runRules } from '../blue/rules/run-rules.ts';
import type { Json } from '../iac/evaluate/value.ts';
import { parseCode } from '../iac/syntax/parse-code.ts';
import { createClaimSearch } from './claim-findings.ts';
import { type GatedBlock, readGatedCode } from './gated-code.ts';
import type { RuleChecker } from './rule-checker.ts';

/**
 * Our own static rules as a checker. A rule covers an entry when it is about the same weakness, by the entry's rule ids
 * or its type, in the same type of resource. A rule that does not fire refutes the entry only if all values are known.
 */
export async function createRulesChecker(files: Readonly<Record<string, string>>): Promise<RuleChecker> {
  const findings = runRules(await parseCode(files), { reach: 'full' });
  const search = createClaimSearch(await readGatedCode(files), findings);
  const rulesFor = (weaknesses: readonly string[], blocks: readonly GatedBlock[]) =>
    allRules().filter((rule) => weaknesses.includes(rule.weakness) && covers(rule, blocks));
  return {
    name: 'salvo-rules',
    covers(vulnerability) {
      const { weaknesses, blocks } = search(vulnerability);
      return rulesFor(weaknesses, blocks).length > 0;
    },
    fires(vulnerability) {
      const { weaknesses, blocks, found, isPlaced } = search(vulnerability);
      if (!isPlaced) return null;
      if (found) return true;
      if (rulesFor(weaknesses, blocks).some(({ category }) => WORST_ONLY.has(category))) return null;
      return blocks.every((block) => block.deployed() && block.values().every(hasNoVariables)) ? false : null;
    },
  };
}

/** Rules of these categories only report the worst cases. That they do not fire proves nothing. */
const WORST_ONLY: ReadonlySet<string> = new Set(['network', 'iam']);

function covers(rule: Rule, blocks: readonly GatedBlock[]): boolean {
  return blocks.some(({ type, source }) => rule[source.language].some(({ types }) => types.includes(type)));
}

/** References to other resources are known only after apply, but hide no flaw. */
function hasNoVariables(value: Json): boolean {
  if (typeof value === 'string') return !/\$\{(?:var|local|data|each|count|module)\./.test(value);
  if (Array.isArray(value)) return value.every(hasNoVariables);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasNoVariables);
}
