import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { checkAttribute } from './check-attribute.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkNetwork } from './check-network.ts';
import { checkPolicy } from './check-policy.ts';
import { checkRelation } from './check-relation.ts';
import { checkSecret } from './check-secret.ts';
import { checkStatedValues } from './check-stated-values.ts';
import { type ClaimedBlocks, claimedBlocks } from './claimed-blocks.ts';
import { subjectFacts } from './code-facts.ts';
import {
  type Check,
  type EntryStatus,
  failed,
  type GateEntry,
  type GateResult,
  passed,
  unchecked,
} from './gate-result.ts';
import { readGatedClaim } from './gated-claim.ts';
import { type GatedCode, readGatedCode } from './gated-code.ts';
import { checkRule, type RuleChecker } from './rule-checker.ts';

/**
 * Checks every entry of a manifest against the code before it counts, since models also list flaws that are not there.
 * An entry is a phantom when a check fails. It is confirmed when no check fails and one of substance (evidence,
 * attribute or rule) passes. Otherwise it is unchecked.
 */
export async function checkManifest(request: {
  files: Readonly<Record<string, string>>;
  vulnerabilities: readonly Vulnerability[];
  checker?: RuleChecker | null | undefined;
  /** The entries are true by construction, so a failed check of attributes or rules is an error of the gate. */
  proven?: boolean | undefined;
}): Promise<GateResult> {
  const { vulnerabilities, checker = null, proven = false } = request;
  const code = await readGatedCode(request.files);
  const entries: GateEntry[] = [];
  for (const vulnerability of vulnerabilities) {
    const claim = readGatedClaim(vulnerability);
    const claimed = claimedBlocks(code, claim);
    const facts = subjectFacts(claimed.blocks);
    const relation = checkRelation(vulnerability, claimed.blocks, code.scope);
    const rule = relation ?? (await checkRule(checker, vulnerability));
    const special = [
      checkNetwork(claim, claimed.blocks),
      checkPolicy(claim, claimed.blocks, facts),
      checkSecret(claim, claimed.blocks, facts),
      checkStatedValues(claim, facts),
    ];
    const checks = [
      checkParses(code, claimed),
      claimed.check,
      checkAttribute(claim, claimed.blocks, facts),
      ...special.filter((check) => check !== null),
      checkEvidence(claim, claimed, code),
      rule,
    ].map((check) => (proven || relation?.outcome === 'passed' ? withoutJudgement(check) : check));
    entries.push({ vulnerability, status: statusOf(checks), checks });
  }
  const count = (status: EntryStatus) => entries.filter((entry) => entry.status === status).length;
  const checked = count('confirmed') + count('phantom');
  return { entries, manifest_accuracy: checked === 0 ? null : count('confirmed') / checked };
}

function withoutJudgement(check: Check): Check {
  const isJudgement = check.check === 'attribute' || check.check === 'rule';
  return isJudgement && check.outcome === 'failed' ? { ...check, outcome: 'unchecked' } : check;
}

/** Code that does not parse is never deployed, so none of its flaws is real. */
function checkParses(code: GatedCode, { blocks, file }: ClaimedBlocks): Check {
  const named = new Set([...blocks.map(({ source }) => source.file), ...(file === null ? [] : [file])]);
  const files = named.size > 0 ? [...named] : [...code.sources.keys()];
  const sources = files.flatMap((name) => code.sources.get(name) ?? []);
  if (sources.length === 0) return unchecked('parses', 'the code is in a language that is not supported');
  for (const { file: name, problems } of sources) {
    const [problem] = problems;
    if (problem) return failed('parses', `${name}:${problem.line}:${problem.column}: ${problem.message}`);
  }
  return passed('parses', `${sources.map(({ file: name }) => name).join(', ')} parses`);
}

const OF_SUBSTANCE: ReadonlySet<Check['check']> = new Set(['attribute', 'evidence', 'rule']);

function statusOf(checks: readonly Check[]): EntryStatus {
  if (checks.some(({ outcome }) => outcome === 'failed')) return 'phantom';
  return checks.some(({ check, outcome }) => outcome === 'passed' && OF_SUBSTANCE.has(check))
    ? 'confirmed'
    : 'unchecked';
}
