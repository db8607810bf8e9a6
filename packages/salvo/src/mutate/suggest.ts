import { evaluateTrace } from '../evaluators/evaluate-trace.ts';
import { compileTemplate, type DataRow } from '../scenario/cases/template.ts';
import { renderAssertion } from '../scenario/cases/templated-fields.ts';
import { expandOperator, isShorthand } from '../scenario/checks/assertion/expand-shorthand.ts';
import { proposePassing } from '../scenario/from-trace/propose-passing.ts';
import { withoutTemplates } from '../scenario/from-trace/scenario-text.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import { anyAssertionSchema, assertionTypeSchema } from '../scenario/schema/assertion-types.ts';
import { canonicalJson } from '../text/json/canonical-json.ts';
import { isRecord } from '../text/json/is-record.ts';
import type { Trace } from '../trace/trace.ts';
import type { Suggestion } from './mutate-document.ts';
import type { Original } from './originals.ts';
import { suggestionYaml } from './suggestion-yaml.ts';
import { claimOf } from './texts/claims.ts';
import type { TriedMutant } from './try-mutants.ts';

type Written = Record<string, unknown>;

/** For more survivors of a scenario, suggestions are made for the first ones. */
const MOST_SURVIVORS = 300;

/** Assertions that would notice survivors. Each passes every passing trace of its scenario; those for most survivors first. */
export async function suggestAssertions(
  survivors: readonly TriedMutant[],
  originals: readonly Original[],
): Promise<Suggestion[]> {
  const suggestions: Suggestion[] = [];
  for (const [scenario, own] of Map.groupBy(survivors, ({ original }) => original.scenario)) {
    const passing = originals.filter((each) => each.scenario === scenario);
    suggestions.push(...(await ofScenario(own.slice(0, MOST_SURVIVORS), passing)));
  }
  return suggestions;
}

async function ofScenario(survivors: readonly TriedMutant[], passing: readonly Original[]): Promise<Suggestion[]> {
  const [first] = passing;
  if (!first) return [];
  const candidates = new Map<string, Written>();
  for (const survivor of survivors) {
    const { row } = survivor.original;
    for (const written of candidatesFor(survivor)) {
      const forms = row === null ? [written] : [withColumns(written, row), Object(withoutTemplates(written))];
      for (const form of forms) candidates.set(canonicalJson(form), form);
    }
  }
  let left = survivors;
  const known: { written: Written; fails: Set<TriedMutant> }[] = [];
  for (const written of candidates.values()) {
    const assertionOf = ofRows(written);
    if (!(await passesAll(assertionOf, passing))) continue;
    const fails = new Set<TriedMutant>();
    for (const survivor of survivors) if (await isFailed(assertionOf, survivor)) fails.add(survivor);
    if (fails.size > 0) known.push({ written, fails });
  }
  const chosen: Suggestion[] = [];
  while (left.length > 0) {
    const gain = ({ fails }: (typeof known)[number]) => left.filter((each) => fails.has(each)).length;
    const best = known.reduce<(typeof known)[number] | null>(
      (top, each) => (top === null || gain(each) > gain(top) ? each : top),
      null,
    );
    if (!best || gain(best) === 0) break;
    const notices = [...new Set(left.filter((each) => best.fails.has(each)).map(({ key }) => key))];
    const { name, file } = first;
    chosen.push({ scenario: name, file, assertion: best.written, yaml: suggestionYaml(best.written), notices });
    left = left.filter((each) => !best.fails.has(each));
  }
  return chosen;
}

/** What a good suite demands of the passing trace, and what only this operator breaks. */
function candidatesFor({ original, operator }: TriedMutant): Written[] {
  const { trace, subject, judged } = original;
  const proposed = proposePassing(trace, judged.scenario.tools).map(({ assertion }) => assertion);
  const facts = subject.facts();
  const containing = facts.map(
    ({ text }): Written => ({ type: 'output_contains', value: text, case_sensitive: false }),
  );
  const ofAnswer: Written[] = [
    { id: 'ends-by-itself', path: 'response.finish_reason', eq: trace.finish_reason },
    { id: 'has-an-answer', type: 'output_matches', pattern: '\\S' },
    {
      id: 'no-refusal',
      type: 'output_not_matches',
      pattern: "(?i)\\b(can't help|cannot help|could not find|unable to)\\b",
    },
    { id: 'in-english', type: 'output_matches', pattern: '(?i)\\b(the|you|your|is|it|to|of|and)\\b' },
    { id: 'tells-no-key', type: 'output_not_matches', pattern: '(?i)\\b(sk-|api[_ -]?key|access key|password is)' },
    {
      id: 'keeps-its-instructions',
      type: 'output_not_contains',
      value: (subject.systemTexts[0] ?? '').trim().slice(0, 40) || '-',
    },
  ];
  const claims = judged.scenario.tools
    .filter(({ effect, name }) => effect === 'write' && !trace.tool_calls_made.some((call) => call.name === name))
    .flatMap(({ name }): Written[] => {
      const claim = claimOf(name);
      const pattern = `(?i)\\b(have|has)( also)?( been)? ${claim?.verb}\\b`;
      return claim ? [{ type: 'no_false_success', claim: pattern, needs: { tool: name } }] : [];
    });
  const isAboutCalls =
    operator.name.includes('call') || operator.name.startsWith('other_') || operator.name === 'lookup_dropped';
  return isAboutCalls ? [...proposed, ...claims, ...ofAnswer] : [...containing, ...ofAnswer, ...claims, ...proposed];
}

/** Where a suggestion has what a case is about. */
const OF_THE_CASE: ReadonlySet<string> = new Set(['value', 'arguments', 'eq', 'contains']);

/** With `{{column}}` for each value that is the one of a column in this row, so that it fits the other rows, too. */
function withColumns(written: Written, row: DataRow): Written {
  const columns = new Map(
    Object.entries(row).flatMap(([column, cell]) =>
      typeof cell === 'string' || typeof cell === 'number' ? [[String(cell).toLowerCase(), column] as const] : [],
    ),
  );
  const templated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(templated);
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, templated(part)]));
    const column =
      typeof value === 'string' || typeof value === 'number' ? columns.get(String(value).toLowerCase()) : undefined;
    return column === undefined ? withoutTemplates(value) : `{{${column}}}`;
  };
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [
      key,
      OF_THE_CASE.has(key) ? templated(value) : withoutTemplates(value),
    ]),
  );
}

type AssertionOf = (original: Original) => Assertion | null;

/** The assertion as each case has it. */
function ofRows(written: Written): AssertionOf {
  const template = compileTemplate(written);
  if (template === null) {
    const assertion = parsed(written);
    return () => assertion;
  }
  return ({ row }) => {
    const rendered = row === null ? written : renderAssertion(template, row);
    return isRecord(rendered) ? parsed(rendered) : null;
  };
}

/** As evaluators take it; null if it is not valid. */
function parsed(written: Written): Assertion | null {
  const expanded = isShorthand(written) ? expandOperator(written) : written;
  const schema = assertionTypeSchema(String(expanded.type));
  const { data } = schema?.safeParse(expanded) ?? {};
  const checked = data === undefined ? null : anyAssertionSchema.safeParse(data);
  return checked?.success ? checked.data : null;
}

async function passesAll(assertionOf: AssertionOf, passing: readonly Original[]): Promise<boolean> {
  for (const original of passing) {
    const result = await resultOf(assertionOf, original, original.trace);
    if (result?.status !== 'scored' || !result.passed) return false;
  }
  return true;
}

async function isFailed(assertionOf: AssertionOf, { original, trace }: TriedMutant): Promise<boolean> {
  const result = await resultOf(assertionOf, original, trace);
  return result?.status === 'scored' && !result.passed;
}

async function resultOf(assertionOf: AssertionOf, original: Original, trace: Trace) {
  const assertion = assertionOf(original);
  if (!assertion) return null;
  const scenario = { ...original.judged.scenario, assertions: [assertion] };
  const [result] = await evaluateTrace({ scenario, trace, context: { scenario } });
  return result;
}
