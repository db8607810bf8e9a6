import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { equalsSetting, type Json } from '../../iac/evaluate/value.ts';
import { plainPath, type Reading, readPath } from '../../iac/read/attribute-path.ts';
import type { CodeNode } from '../../iac/read/code-node.ts';
import type { Check, CompanionCheck, ExistenceCheck, ReferenceCheck, SimpleCheck } from './check.ts';
import type { Wanted } from './companions.ts';
import { CUSTOM_CHECKS } from './custom-checks.ts';
import type { Subject } from './subject.ts';
import { allOf, anyOf, badAt, GOOD, missingAt, UNKNOWN, type Verdict } from './verdict.ts';

/** Whether a block passes a check. */
export function evaluateCheck(check: Check, subject: Subject): Verdict {
  if ('any' in check) return anyOf(check.any.map((one) => evaluateCheck(one, subject)));
  if ('all' in check) return allOf(check.all.map((one) => evaluateCheck(one, subject)));
  if ('if' in check) {
    const result = conditionResult(check.if, subject);
    if (result === 'good') return evaluateCheck(check.must, subject);
    return result === 'bad' ? GOOD : UNKNOWN;
  }
  if ('never' in check) {
    return { result: 'bad', spot: subject.node.spot, attribute: null, detail: `${subject.type} is used` };
  }
  if ('custom' in check) return CUSTOM_CHECKS[check.custom]?.(subject, check.at, check.of ?? '') ?? UNKNOWN;
  if ('companion' in check) return hasCompanion(check, subject);
  if ('refers_to' in check) return refersToGood(check, subject);
  if ('exists' in check) return existsIn(check, subject);
  const attribute = plainPath(check.at);
  const readings = readPath(subject.node, check.at);
  if ('includes' in check) return inclusion(check, readings, attribute);
  // A module may set what its inputs do not say. In a resource, even a value that is not known is set.
  if ('present' in check && subject.created && readings.some(({ state }) => state === 'unknown')) return UNKNOWN;
  return allOf(readings.map((reading) => verdictOf(check, reading, attribute)));
}

/**
 * Whether a block passes a condition of a rule. With an unknown value, it passes a condition that leaves a kind out ("the
 * engine is not memcached"), because most blocks are not that kind. One that asks for a kind is unknown.
 */
export function conditionResult(condition: Check, subject: Subject): Verdict['result'] {
  const { result } = evaluateCheck(condition, subject);
  return result === 'unknown' && leavesOut(condition) ? 'good' : result;
}

function leavesOut(condition: Check): boolean {
  if ('any' in condition) return condition.any.every(leavesOut);
  if ('all' in condition) return condition.all.every(leavesOut);
  if ('companion' in condition) return condition.missing === 'good';
  if ('refers_to' in condition) return leavesOut(condition.passes);
  if ('present' in condition) return !condition.present;
  return 'not' in condition || 'not_matches' in condition || 'excludes' in condition || 'none_match' in condition;
}

type AtCheck = Exclude<SimpleCheck, { custom: unknown } | { never: unknown }>;
type InclusionCheck = Extract<AtCheck, { includes: unknown }>;
type ValueCheck = Exclude<AtCheck, InclusionCheck>;

function hasCompanion(check: CompanionCheck, subject: Subject): Verdict {
  const { companion: types, link, name, same, passes, at_most: most, missing, unknown } = check;
  const { node } = subject;
  const linked = companionsOf(subject, { types, link, name });
  const found = linked === 'unknown' || !same ? linked : linked.filter((other) => mayAgree(same, subject, other));
  if (found === 'unknown' && unknown !== 'missing') return UNKNOWN;
  if (found === 'unknown' || found.length === 0) {
    if (missing === 'good' || most !== undefined) return GOOD;
    return { result: 'bad', spot: node.spot, attribute: null, detail: `no ${types[0]} refers to it`, isMissing: true };
  }
  if (most !== undefined && found.length > most) {
    // Resources that have the same owner are reported once, at the first of them.
    const isOneOfThem = subject.view !== null && found.includes(subject.view);
    if (isOneOfThem && found[0] !== subject.view) return GOOD;
    const detail = `${found.length} ${types[0]} ${isOneOfThem ? `have the same ${link}` : 'refer to it'}`;
    return { result: 'bad', spot: node.spot, attribute: null, detail };
  }
  return passes ? allOf(found.map((other) => companionVerdict(passes, other, subject))) : GOOD;
}

function mayAgree([own, other]: [string, string], { node, surroundings }: Subject, view: BlockView): boolean {
  const [mine, theirs] = [readPath(node, own), readPath(surroundings.nodeOf(view), other)];
  if ([...mine, ...theirs].some(({ state }) => state !== 'known')) return true;
  return mine.some((one) => theirs.some(({ node: { json } }) => json === one.node.json));
}

function companionsOf(
  { view, created, block, surroundings }: Subject,
  wanted: Wanted,
): readonly BlockView[] | 'unknown' {
  if (view) return surroundings.companions.of(view, wanted);
  if (created?.hasCompanion(wanted.types) !== 'none') return 'unknown';
  return surroundings.companions.ofModule(block.address, wanted);
}

function refersToGood(check: ReferenceCheck, subject: Subject): Verdict {
  const { refers_to: types, link, name, passes, missing, unknown } = check;
  const { view, node, surroundings } = subject;
  const found = view ? surroundings.companions.namedBy(view, { types, link, name }) : 'unknown';
  if (found === 'unknown') return unknown ? GOOD : UNKNOWN;
  if (found.length === 0) return missing === 'bad' ? missingAt(node, plainPath(link)) : GOOD;
  return allOf(found.map((other) => companionVerdict(passes, other, subject)));
}

function existsIn({ exists: types, passes }: ExistenceCheck, subject: Subject): Verdict {
  const { type, view, node, surroundings } = subject;
  const all = surroundings.companions.ofTypes(types);
  if (types.includes(type) && all[0] !== view) return GOOD;
  const results = all.map((other) => (passes ? companionVerdict(passes, other, subject).result : 'good'));
  if (results.includes('good')) return GOOD;
  if (results.includes('unknown')) return UNKNOWN;
  const detail = passes ? `no ${types[0]} in the code does this` : `the code has no ${types[0]}`;
  return { result: 'bad', spot: node.spot, attribute: null, detail, isMissing: true };
}

/** What is bad about another resource is written there, and is a flaw of both. */
function companionVerdict(check: Check, view: BlockView, { surroundings }: Subject): Verdict {
  const { type, blockAddress: address, file, block } = view;
  const node = surroundings.nodeOf(view);
  const verdict = evaluateCheck(check, { type, address, file, block, node, view, surroundings });
  return verdict.result === 'bad' ? { ...verdict, owner: verdict.owner ?? address } : verdict;
}

function verdictOf(check: ValueCheck, { state, node, holder }: Reading, attribute: string): Verdict {
  if (state === 'missing') return isBadWhenMissing(check) ? missingAt(node, attribute) : GOOD;
  // What the attribute would be in is not known: a route whose destination is a variable.
  if (state === 'unknown' && holder === null) return UNKNOWN;
  if ('present' in check) return presence(check.present, node, attribute);
  if ('none_match' in check) {
    const unwanted = node.items().find(({ json }) => typeof json !== 'object' && check.none_match.test(String(json)));
    return unwanted ? badAt(unwanted, attribute, `${attribute} has ${valueText(unwanted.json)}`) : GOOD;
  }
  if (state === 'unknown') return UNKNOWN;
  if ('excludes' in check) {
    const unwanted = node.items().find((item) => check.excludes.some((word) => hasValue([item], word)));
    return unwanted ? badAt(unwanted, attribute, `${attribute} has ${valueText(unwanted.json)}`) : GOOD;
  }
  const { json } = node;
  // The check is about a scalar, and cannot judge a map or a list.
  if (typeof json === 'object') return UNKNOWN;
  return isGood(check, json) ? GOOD : badAt(node, attribute, `${attribute} is ${valueText(json)}`);
}

/** An empty list or text counts as absent. */
function presence(isWanted: boolean, node: CodeNode, attribute: string): Verdict {
  const { json, known } = node;
  const isEmpty = known && (json === '' || (Array.isArray(json) && json.length === 0));
  if (isEmpty !== isWanted) return GOOD;
  return badAt(node, attribute, `${attribute} is ${isEmpty ? 'empty' : 'set'}`);
}

function isBadWhenMissing(check: AtCheck): boolean {
  if ('present' in check) return check.present;
  if ('none_match' in check) return false;
  if (check.missing !== undefined) return check.missing === 'bad';
  return 'equals' in check || 'min' in check || 'includes' in check || 'matches' in check;
}

type ScalarCheck = Exclude<ValueCheck, { present: boolean } | { excludes: unknown } | { none_match: unknown }>;

function isGood(check: ScalarCheck, value: string | number | boolean): boolean {
  if ('equals' in check) return check.equals.some((wanted) => equalsSetting(value, wanted));
  if ('not' in check) return !check.not.some((unwanted) => equalsSetting(value, unwanted));
  if ('matches' in check) return check.matches.test(String(value));
  if ('not_matches' in check) return !check.not_matches.test(String(value));
  const number = Number(value);
  if (Number.isNaN(number)) return true;
  return 'min' in check ? number >= check.min : number <= check.max;
}

/** The values can be in one list, or each at its own reading: `EnabledTypes: [{Type: api}, {Type: audit}]`. */
function inclusion(check: InclusionCheck, readings: readonly Reading[], attribute: string): Verdict {
  const found = readings.filter(({ state }) => state !== 'missing');
  const items = found.flatMap(({ node }) => node.items());
  const [first] = found;
  if (!first) {
    const [missing] = readings;
    return missing && isBadWhenMissing(check) ? missingAt(missing.node, attribute) : GOOD;
  }
  const lacking = check.includes.find((wanted) => !hasValue(items, wanted));
  if (lacking === undefined) return GOOD;
  if (items.some((item) => !item.known)) return UNKNOWN;
  return badAt(first.node, attribute, `${attribute} does not have ${valueText(lacking)}`);
}

function hasValue(items: readonly CodeNode[], word: string | number | boolean): boolean {
  return items.some((item) => item.known && equalsSetting(item.json, word));
}

function valueText(value: Json): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
