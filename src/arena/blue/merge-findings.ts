import { assign } from '../../match/assignment/assignment.ts';
import { findingClaim } from '../../match/claims/claims.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { readSeverity, severityRank } from '../../match/claims/severity.ts';
import { createEvidenceMatcher } from '../../match/evidence/evidence-matcher.ts';

/** One flaw, and who reported it. */
export interface FindingGroup {
  /** What all of them say together. */
  finding: Finding;
  /** The numbers of the lists that it was in. */
  reporters: ReadonlySet<number>;
  /** How many findings it was made of. */
  count: number;
}

/** From this score on, the Judge Agent's matcher is taken at its word: to merge two flaws loses one of them. */
const SAME_FLAW = 0.5;

/**
 * Groups what several reported by flaw, in the order in which the flaws were first named. Two findings of one list are
 * never one: whoever names two rules, or says a thing twice, mostly means two things.
 */
export function mergeFindings(lists: readonly (readonly Finding[])[]): FindingGroup[] {
  const groups: FindingGroup[] = [];
  for (const [reporter, list] of lists.entries()) {
    const known = groups.map(({ finding }) => finding);
    const sameAs = samesOf(known, list);
    for (const [index, finding] of list.entries()) {
      const at = sameAs.get(index);
      const before = at === undefined ? undefined : groups[at];
      if (at !== undefined && before) groups[at] = joined(before, finding, reporter);
      else groups.push({ finding, reporters: new Set([reporter]), count: 1 });
    }
  }
  return groups;
}

function joined({ finding, reporters, count }: FindingGroup, other: Finding, reporter: number): FindingGroup {
  return { finding: joinFindings(finding, other), reporters: new Set([...reporters, reporter]), count: count + 1 };
}

/** Which of the known flaws a finding is, by its index; nothing for one that is new. */
function samesOf(known: readonly Finding[], list: readonly Finding[]): Map<number, number> {
  if (known.length === 0 || list.length === 0) return new Map();
  const candidates = createEvidenceMatcher(known.map(findingClaim), list.map(findingClaim)).candidates(SAME_FLAW);
  const pairs = assign(candidates, { vulnerabilities: known.length, findings: list.length }, 'optimal');
  return new Map(pairs.map(({ vulnerability, finding }) => [finding, vulnerability]));
}

/** How sure a finding is that does not say. */
const USUAL_CONFIDENCE = 0.5;

/**
 * Two findings of one flaw as one: the first, with what only the second says filled in, the worse severity, both
 * sources, the rules of both, and more confidence than either has alone.
 */
export function joinFindings(first: Finding, second: Finding): Finding {
  const stated = (finding: Finding) => Object.entries(finding).filter(([, value]) => isSaid(value));
  const joined: Finding = { ...Object.fromEntries(stated(second)), ...Object.fromEntries(stated(first)) };
  // A place is one thing: the line of one finding in the file of another is nowhere.
  const place = isSaid(first.file) && isSaid(first.line) ? first : isSaid(second.line) ? second : first;
  for (const field of ['file', 'line', 'end_line'] as const) delete joined[field];
  if (isSaid(place.file)) joined.file = place.file;
  if (isSaid(place.line)) joined.line = place.line;
  if (isSaid(place.end_line)) joined.end_line = place.end_line;
  joined.confidence = Math.round((1 - (1 - confidenceOf(first)) * (1 - confidenceOf(second))) * 10_000) / 10_000;
  const severity = worse(first.severity, second.severity);
  if (severity !== null) joined.severity = severity;
  const sources = [first, second].flatMap(({ source }) => source?.split('+') ?? []);
  if (sources.length > 0) joined.source = [...new Set(sources)].join('+');
  const [rule, ...rules] = new Set([...rulesOf(first), ...rulesOf(second)]);
  if (rule !== undefined) joined.rule_id = rule;
  if (rules.length > 0) joined.rule_ids = rules;
  return joined;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function confidenceOf({ confidence }: Finding): number {
  return Math.min(1, Math.max(0, confidence ?? USUAL_CONFIDENCE));
}

function worse(a: unknown, b: unknown): string | null {
  const [first, second] = [readSeverity(a), readSeverity(b)];
  if (first === null || second === null) return first ?? second;
  return severityRank(second) > severityRank(first) ? second : first;
}

function rulesOf({ rule_id, rule_ids }: Finding): string[] {
  return [rule_id ?? '', ...(rule_ids ?? [])].filter((id) => id !== '');
}
