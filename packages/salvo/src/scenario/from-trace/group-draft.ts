import { canonicalJson } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { DataRow } from '../cases/template.ts';
import type { Mock } from '../schema/tool-schema.ts';
import { objectSchema } from './inferred-schema.ts';
import { NOTHING_RECORDED, type WrittenTool } from './recorded-tools.ts';
import type { TraceDraft } from './scenario-draft.ts';
import { withoutTemplates } from './scenario-text.ts';
import type { Proposal } from './source-trace.ts';
import { beginning, plainMessage, type ScenarioHead, turnsField, type WrittenScenario } from './written-scenario.ts';

/** A trace of a group, with what it is called and the assertions that it passes by itself. */
export interface GroupedDraft extends TraceDraft {
  name: string;
  script: unknown;
  proposals: readonly Proposal[];
}

export interface GroupedScenario {
  scenario: WrittenScenario;
  proposals: Proposal[];
}

/** One scenario for many traces. What differs is in the rows of its data. */
export function scenarioOfGroup(head: ScenarioHead, drafts: readonly GroupedDraft[]): GroupedScenario {
  const rows: DataRow[] = drafts.map(({ name }) => ({ name }));
  const varying = <Value>(column: string, partOf: (draft: GroupedDraft) => Value): unknown => {
    const values = drafts.map(partOf);
    if (isSame(values)) return withoutTemplates(values[0]);
    for (const [index, value] of values.entries()) setColumn(rows[index] ?? {}, column.split('.'), value);
    return `{{${column}}}`;
  };
  const systemPrompt = varying('system_prompt', (draft) => draft.systemPrompt ?? '');
  const isPrompt = drafts.every(({ messages: [only, ...others] }) => isPlainPrompt(only) && others.length === 0);
  const task = isPrompt
    ? { prompt: varying('prompt', ({ messages }) => messages[0]?.content ?? '') }
    : { messages: varying('messages', ({ messages }) => messages.map(plainMessage)) };
  const hasScript = drafts.some(({ script }) => script !== undefined);
  const tools = toolsOf(drafts).map(({ mocks, ...tool }) => ({
    ...tool,
    mock_responses: varying(`mocks.${tool.name}`, mocks),
  }));
  const proposals = groupedProposals(drafts, varying);
  return {
    scenario: {
      ...beginning(head),
      data: rows,
      ...(systemPrompt !== '' && { system_prompt: systemPrompt }),
      ...task,
      ...(hasScript && { script: varying('script', ({ script }) => script ?? null) }),
      ...(tools.length > 0 && { tools }),
      ...turnsField(drafts),
    },
    proposals,
  };
}

/** The scenario without columns that only assertions used which were not kept. */
export function withUsedColumns(scenario: WrittenScenario, assertions: readonly unknown[]): WrittenScenario {
  const { data } = scenario;
  if (!Array.isArray(data)) return scenario;
  const used = JSON.stringify(assertions);
  const isUsed = (column: string) => used.includes(`{{${column}}}`);
  const rows = data.filter(isRecord).map(({ expected, expected_in_answer, ...row }) => {
    const calls = isRecord(expected)
      ? Object.entries(expected).map(([tool, fields]) => usedFields(tool, fields, isUsed))
      : [];
    const kept = calls.filter(([, fields]) => Object.keys(fields).length > 0);
    return {
      ...row,
      ...(kept.length > 0 && { expected: Object.fromEntries(kept) }),
      ...(expected_in_answer !== undefined && isUsed('expected_in_answer') && { expected_in_answer }),
    };
  });
  return { ...scenario, data: rows };
}

function usedFields(tool: string, fields: unknown, isUsed: (column: string) => boolean): [string, object] {
  const entries = isRecord(fields) ? Object.entries(fields) : [];
  return [tool, Object.fromEntries(entries.filter(([field]) => isUsed(`expected.${tool}.${field}`)))];
}

function isSame(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => canonicalJson(value))).size <= 1;
}

function isPlainPrompt(message: TraceDraft['messages'][number] | undefined): boolean {
  return message?.role === 'user' && message.files === undefined && message.content.trim() !== '';
}

function setColumn(row: DataRow, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    row[key] = value;
    return;
  }
  const inner = row[key];
  const map = isRecord(inner) ? inner : {};
  row[key] = map;
  setColumn(map, rest, value);
}

type GroupedTool = Omit<WrittenTool, 'mock_response' | 'mock_responses'> & { mocks: (draft: TraceDraft) => Mock[] };

/** The tools of all traces. One that a trace does not have has no answer there. */
function toolsOf(drafts: readonly TraceDraft[]): GroupedTool[] {
  const byName = Map.groupBy(
    drafts.flatMap(({ tools }) => tools),
    ({ name }) => name,
  );
  return [...byName].map(([name, same]) => {
    const calls = drafts.flatMap(({ trace }) => trace.tool_calls_made.filter((call) => call.name === name));
    const [first = { name }] = same;
    const { mock_response: _, mock_responses: __, parameters, description, ...tool } = first;
    const schemas = same.map((each) => each.parameters);
    const schema = isSame(schemas) ? parameters : objectSchema(calls.map((call) => call.arguments));
    return {
      ...tool,
      ...(description !== undefined && { description: String(withoutTemplates(description)) }),
      ...(schema && { parameters: schema }),
      mocks: (draft) => mocksOf(draft.tools.find((each) => each.name === name)),
    };
  });
}

function mocksOf(tool: WrittenTool | undefined): Mock[] {
  if (tool?.mock_responses) return tool.mock_responses;
  return tool && 'mock_response' in tool ? [{ respond: tool.mock_response }] : [{ error: NOTHING_RECORDED }];
}

type Varying = <Value>(column: string, partOf: (draft: GroupedDraft) => Value) => unknown;

/** The assertions that every trace has in some form, with what differs in the rows. */
function groupedProposals(drafts: readonly GroupedDraft[], varying: Varying): Proposal[] {
  const [first] = drafts;
  const kinds = [...new Set((first?.proposals ?? []).map(kindOf))];
  return kinds.flatMap((kind) => {
    const ofEach = drafts.map(({ proposals }) => proposals.filter((each) => kindOf(each) === kind));
    const [[sample] = []] = ofEach;
    if (!sample || ofEach.some(({ length }) => length === 0)) return [];
    const isOne = ofEach.every(({ length }) => length === 1);
    const only = (draft: GroupedDraft) => draft.proposals.find((each) => kindOf(each) === kind)?.assertion ?? {};
    return joined(sample, { only, isOne, drafts, varying });
  });
}

interface SameKind {
  only: (draft: GroupedDraft) => Record<string, unknown>;
  /** Every trace has one of this kind. */
  isOne: boolean;
  drafts: readonly GroupedDraft[];
  varying: Varying;
}

function joined(sample: Proposal, { only, isOne, drafts, varying }: SameKind): Proposal[] {
  const { assertion, why } = sample;
  const { type, tool } = assertion;
  if (isOne && isSame(drafts.map(only))) return [{ assertion: escaped(assertion), why }];
  if (type === 'tool_called') {
    if (!isOne) return [{ assertion: { type, tool }, why: 'Every conversation needed it.' }];
    const has = (field: string) => drafts.every((draft) => only(draft)[field] !== undefined);
    const fields = ['arguments', 'times'].filter(has).map((field) => {
      return [field, varying(`expected.${String(tool)}.${field}`, (draft) => only(draft)[field])];
    });
    return [{ assertion: { type, tool, ...Object.fromEntries(fields) }, why }];
  }
  if (type === 'output_contains') {
    return [{ assertion: { type, value: varying('expected_in_answer', (draft) => [only(draft).value].flat()) }, why }];
  }
  if (assertion.id === 'number-of-turns') {
    const most = Math.max(...drafts.map((draft) => Number(only(draft).lte)));
    return [{ assertion: { ...assertion, lte: most }, why: 'None of them took more.' }];
  }
  return [];
}

function escaped(assertion: Record<string, unknown>): Record<string, unknown> {
  const { arguments: args, value, schema, ...rest } = assertion;
  const given = Object.entries({ arguments: args, value, schema }).filter(([, part]) => part !== undefined);
  return { ...rest, ...Object.fromEntries(given.map(([key, part]) => [key, withoutTemplates(part)])) };
}

function kindOf({ assertion: { type, tool, id } }: Proposal): string {
  return canonicalJson([type ?? null, tool ?? null, id ?? null]);
}
