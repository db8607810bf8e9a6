import type { Finding } from '../match/claims/finding.ts';
import { readSeverity, severityRank } from '../match/claims/severity.ts';
import { pairFindings } from '../match/pair-findings.ts';

/** One flaw, and the lists that report it. */
export interface FindingGroup {
  /** The joined finding. */
  finding: Finding;
  /** The indices of the lists that it was in. */
  reporters: ReadonlySet<number>;
  /** How many findings were joined. */
  count: number;
}

/**
 * Groups findings of several lists by flaw, in the order in which the flaws first occur. Two findings of one list are
 * never merged: a reporter that lists two findings mostly means two flaws.
 */
export function mergeFindings(lists: readonly (readonly Finding[])[]): FindingGroup[] {
  const groups: FindingGroup[] = [];
  for (const [reporter, list] of lists.entries()) {
    const known = groups.map(({ finding }) => finding);
    const knownFlaws = pairFindings(known, list);
    for (const [index, finding] of list.entries()) {
      const at = knownFlaws.get(index);
      const before = at === undefined ? undefined : groups[at];
      if (at === undefined || before === undefined) {
        groups.push({ finding, reporters: new Set([reporter]), count: 1 });
        continue;
      }
      groups[at] = {
        finding: joinFindings(before.finding, finding),
        reporters: new Set([...before.reporters, reporter]),
        count: before.count + 1,
      };
    }
  }
  return groups;
}

/** For a finding that states no confidence. */
const DEFAULT_CONFIDENCE = 0.5;

/**
 * Two findings of one flaw as one: the first, with fields that only the second has, the worse severity, both sources,
 * the rules of both, and more confidence than either has alone.
 */
function joinFindings(first: Finding, second: Finding): Finding {
  const stated = (finding: Finding) => Object.entries(finding).filter(([, value]) => isStated(value));
  const joined: Finding = { ...Object.fromEntries(stated(second)), ...Object.fromEntries(stated(first)) };
  // File and line must come from the same finding.
  const place = isStated(first.file) && isStated(first.line) ? first : isStated(second.line) ? second : first;
  for (const field of ['file', 'line', 'end_line'] as const) {
    delete joined[field];
    if (isStated(place[field])) Object.assign(joined, { [field]: place[field] });
  }
  joined.confidence =
    Math.round((1 - (1 - statedConfidence(first)) * (1 - statedConfidence(second))) * 10_000) / 10_000;
  const severity = worseSeverity(first.severity, second.severity);
  if (severity !== null) joined.severity = severity;
  const sources = [first, second].flatMap(({ source }) => source?.split('+') ?? []);
  if (sources.length > 0) joined.source = [...new Set(sources)].join('+');
  const [rule, ...rules] = new Set([...ruleIds(first), ...ruleIds(second)]);
  if (rule !== undefined) joined.rule_id = rule;
  if (rules.length > 0) joined.rule_ids = rules;
  return joined;
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function statedConfidence({ confidence }: Finding): number {
  return Math.min(1, Math.max(0, confidence ?? DEFAULT_CONFIDENCE));
}

function worseSeverity(a: unknown, b: unknown): string | null {
  const [first, second] = [readSeverity(a), readSeverity(b)];
  if (first === null || second === null) return first ?? second;
  return severityRank(second) > severityRank(first) ? second : first;
}

function ruleIds({ rule_id, rule_ids }: Finding): string[] {
  return [rule_id ?? '', ...(rule_ids ?? [])].filter((id) => id !== '');
}
