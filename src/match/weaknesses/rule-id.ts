/** Longer texts are no rule ids, and are not searched for one. */
const LONGEST = 200;

/**
 * The forms under which a rule id may be known, the surest first: the whole text; then, in a link or a text with the
 * rule's name behind it, each part; and the last name of a dotted path, as Semgrep's ids are.
 */
export function ruleIdForms(text: string): string[] {
  if (text.length > LONGEST) return [];
  const whole = normalRuleId(text.trim());
  const parts = whole.split(/[\s,;:/#()[\]]+/);
  const names = parts.map((part) => part.slice(part.lastIndexOf('.') + 1));
  return [whole, ...parts, ...names].filter((form) => form !== '').map(withoutAvd);
}

/** `CKV_AWS_19`, `ckv-aws-19`; `AVD-AWS-0088`, `AWS-0088`, `aws_0088`: one form for all spellings. */
export function normalRuleId(id: string): string {
  return withoutAvd(id.toLowerCase().replaceAll('_', '-'));
}

function withoutAvd(id: string): string {
  return id.startsWith('avd-') ? id.slice('avd-'.length) : id;
}
