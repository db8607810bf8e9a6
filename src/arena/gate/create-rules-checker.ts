import type { Json } from '../../iac/evaluate/value.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { parseAddress, sameAddress } from '../../match/claims/resource-address.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { allRules, type Rule } from '../blue/rules/rules.ts';
import { runRules } from '../blue/rules/run-rules.ts';
import { claimedBlocks } from './claimed-blocks.ts';
import { readGatedClaim } from './gated-claim.ts';
import { blocksAround, type GatedBlock, readGatedCode } from './gated-code.ts';
import type { RuleChecker } from './rule-checker.ts';

/**
 * Our own static rules as a checker. A rule covers an entry when it is about the same weakness, by the entry's rule ids
 * or its type, in the same type of resource. A rule that does not fire refutes the entry only if all values are known.
 */
export async function createRulesChecker(files: Readonly<Record<string, string>>): Promise<RuleChecker> {
  const code = await readGatedCode(files);
  const findings = runRules(await parseCode(files), { reach: 'full' });
  const rulesFor = (vulnerability: Vulnerability) => {
    const claim = readGatedClaim(vulnerability);
    const { blocks } = claimedBlocks(code, claim);
    const rules = allRules().filter((rule) => claim.weaknesses.includes(rule.weakness) && covers(rule, blocks));
    return { weaknesses: claim.weaknesses, blocks, rules };
  };
  return {
    name: 'salvo-rules',
    covers: (vulnerability) => rulesFor(vulnerability).rules.length > 0,
    fires(vulnerability) {
      const { weaknesses, blocks, rules } = rulesFor(vulnerability);
      // Without a resource or a place, the entry could mean any of the findings.
      if (blocks.length === 0 && !namesPlace(vulnerability)) return null;
      const near = [...blocksAround(blocks)].flatMap((block) => block.addresses());
      const found = findings.some(
        (finding) =>
          isAbout(finding, weaknesses) &&
          [finding.resource ?? []]
            .flat()
            .some((text) => near.some((address) => sameAddress(address, parseAddress(text)))),
      );
      if (found) return true;
      if (rules.some(({ category }) => WORST_ONLY.has(category))) return null;
      return blocks.every((block) => block.deployed() && block.values().every(hasNoVariables)) ? false : null;
    },
  };
}

function namesPlace({ resource, file }: Vulnerability): boolean {
  return [resource ?? '', file ?? ''].flat().some((text) => text.trim() !== '');
}

/** Rules of these categories only report the worst cases. That they do not fire proves nothing. */
const WORST_ONLY: ReadonlySet<string> = new Set(['network', 'iam']);

function covers(rule: Rule, blocks: readonly GatedBlock[]): boolean {
  return blocks.some(({ type, source }) => rule[source.language].some(({ types }) => types.includes(type)));
}

/** A finding of a related weakness counts as well: a narrower or wider case that is easily confused. */
function isAbout({ rule_ids }: Finding, weaknesses: readonly string[]): boolean {
  return weaknesses.some(
    (weakness) =>
      rule_ids?.some(
        (id) =>
          id === weakness ||
          weaknessById(weakness)?.related.includes(id) ||
          weaknessById(id)?.related.includes(weakness),
      ) ?? false,
  );
}

/** References to other resources are known only after apply, but hide no flaw. */
function hasNoVariables(value: Json): boolean {
  if (typeof value === 'string') return !/\$\{(?:var|local|data|each|count|module)\./.test(value);
  if (Array.isArray(value)) return value.every(hasNoVariables);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasNoVariables);
}
