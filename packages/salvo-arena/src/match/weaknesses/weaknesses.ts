import { dataFile, memoByWord, once, remembered } from 'salvo/kit/text';
import { readEntries, type Weakness, weaknessSchema } from './weakness.ts';
import { otherNames } from './weakness-relations.ts';

/** A longer text is not searched for a rule id. */
const LONGEST_ID = 200;

/** Every weakness of the catalogue, which is read when it is first needed. */
export function allWeaknesses(): readonly Weakness[] {
  return loadCatalogue().all;
}

/** The categories of all weaknesses, sorted. */
export function weaknessCategories(): string[] {
  return [...new Set(allWeaknesses().map(({ category }) => category))].sort();
}

export function weaknessById(id: string): Weakness | undefined {
  return loadCatalogue().byId.get(id);
}

/**
 * The ids of the weaknesses that a rule of any scanner reports, in any spelling of its id. The id of a weakness is a
 * rule id, too. A weakness with two names is listed under both. Empty when the rule is not known. A CWE is no rule.
 */
export const weaknessesOfRule = memoByWord((ruleId): readonly string[] => {
  const { byRule } = loadCatalogue();
  const known = ruleIdForms(ruleId).find((form) => byRule.has(form));
  const ids = (known === undefined ? undefined : byRule.get(known)) ?? [];
  return [...new Set(ids.flatMap((id) => [id, ...otherNames(id)]))];
}, LONGEST_ID);

const loadCatalogue = once(() =>
  buildCatalogue([
    ...readEntries(weaknessSchema, 'aws.jsonl', dataFile(import.meta.url, './aws.jsonl')),
    ...readEntries(weaknessSchema, 'azure.jsonl', dataFile(import.meta.url, './azure.jsonl')),
    ...readEntries(weaknessSchema, 'gcp.jsonl', dataFile(import.meta.url, './gcp.jsonl')),
    ...readEntries(weaknessSchema, 'general.jsonl', dataFile(import.meta.url, './general.jsonl')),
  ]),
);

function buildCatalogue(weaknesses: readonly Weakness[]) {
  const byId = new Map(weaknesses.map((weakness) => [weakness.id, weakness]));
  /** Ids of weaknesses by the normal form of a rule's id. */
  const byRule = new Map<string, string[]>();
  for (const { id, rules } of weaknesses) {
    for (const rule of new Set([id, ...Object.values(rules).flat()].map(normalRuleId))) {
      remembered(byRule, rule, () => []).push(id);
    }
  }
  return { all: weaknesses, byId, byRule };
}

/**
 * The forms under which a rule id may be known, the most certain first: the whole text; then each part of it, for a
 * link or an id followed by the rule's name; then the last name of a dotted path, which Semgrep's ids are.
 */
function ruleIdForms(text: string): string[] {
  if (text.length > LONGEST_ID) return [];
  const whole = normalRuleId(text.trim());
  const parts = whole.split(/[\s,;:/#()[\]]+/);
  const names = parts.map((part) => part.slice(part.lastIndexOf('.') + 1));
  return [whole, ...parts, ...names].filter((form) => form !== '').map(withoutPrefix);
}

/** `CKV_AWS_19`, `ckv-aws-19`; `AVD-AWS-0088`, `AWS-0088`, `aws_0088`: one form for all spellings. */
function normalRuleId(id: string): string {
  return withoutPrefix(id.toLowerCase().replaceAll('_', '-'));
}

/** The packs of cdk-nag that name a check as it is: in `HIPAA.Security-EFSEncrypted` and `PCI.DSS.321-EFSEncrypted`. */
const PACK = /^(?:hipaa\.security|nist\.800\.53\.r[45]|pci\.dss\.321|serverless)-(?=[a-z0-9]+$)/;

function withoutPrefix(id: string): string {
  return id.startsWith('avd-') ? id.slice('avd-'.length) : id.replace(PACK, '');
}
