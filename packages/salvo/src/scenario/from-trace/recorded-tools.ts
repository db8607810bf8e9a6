import { canonicalJson } from '../../text/json/canonical-json.ts';
import { isFunction, isRecord } from '../../text/json/is-record.ts';
import { bracketsFrom } from '../../text/json/nesting.ts';
import { sameTool } from '../../trace/agent-call.ts';
import type { Message, ToolResultMessage } from '../../trace/message.ts';
import type { ToolCallRecord, ToolError, Trace } from '../../trace/trace.ts';
import type { Mock, Tool } from '../schema/tool-schema.ts';
import { demandedArguments, exactArguments, isExact, tellingArguments, valueCount } from './argument-values.ts';
import { objectSchema } from './inferred-schema.ts';
import { writtenFiles } from './written-files.ts';

/** A tool as the scenario writes it. */
export type WrittenTool = Partial<Tool> & Pick<Tool, 'name'>;

/** An answer of a tool that was recorded. */
interface RecordedAnswer {
  arguments: Record<string, unknown>;
  answer: Pick<Mock, 'respond' | 'error' | 'files'>;
}

/** Errors that Salvo itself answered with. No tool has said them. */
const OWN_ERRORS: ReadonlySet<ToolError['kind']> = new Set([
  ...(['unknown_tool', 'malformed_arguments', 'invalid_arguments', 'no_matching_mock'] as const),
]);

export const NOTHING_RECORDED = 'Nothing was recorded for this call.';

/** The tools of a conversation: those that its scenario had, and those that were called, with the recorded answers as mocks. */
export function recordedTools(trace: Trace, scenarioTools: readonly Tool[]): WrittenTool[] {
  const known = scenarioTools.filter(({ name }) => name !== '');
  const isUnknown = unknownTools(trace);
  const called = [...new Set(trace.tool_calls_made.map(({ name }) => name))].filter(
    (name) => !known.some((tool) => sameTool(tool.name, name)) && !isUnknown(name),
  );
  const resultOf = resultMessages(trace.messages);
  const answers = trace.tool_calls_made.flatMap((call) => {
    const answer = answerOf(call, { trace, message: resultOf(call.id) });
    return answer === null ? [] : [{ call, recorded: { arguments: call.arguments, answer } }];
  });
  const answersOf = (name: string) =>
    answers.filter(({ call }) => sameTool(call.name, name)).map(({ recorded }) => recorded);
  return [...known, ...called.map((name): WrittenTool => ({ name }))].map((tool) =>
    writtenTool(tool, {
      calls: trace.tool_calls_made.filter(({ name }) => sameTool(name, tool.name)),
      answers: answersOf(tool.name),
    }),
  );
}

/** Tools that the agent made up: Salvo answered that there is none. */
function unknownTools({ tool_errors, tool_calls_made }: Trace): (name: string) => boolean {
  const ids = new Set(tool_errors.flatMap(({ kind, tool_call_id }) => (kind === 'unknown_tool' ? [tool_call_id] : [])));
  return (name) => tool_calls_made.every((call) => call.name !== name || ids.has(call.id));
}

/** The results by the ids of their calls. An id may occur again. */
function resultMessages(messages: readonly Message[]): (id: string) => ToolResultMessage | undefined {
  const results = messages.filter((message) => message.role === 'tool_result');
  const byId = Map.groupBy(results, ({ tool_call_id }) => tool_call_id);
  return (id) => byId.get(id)?.shift();
}

/** Null if no tool has answered. */
function answerOf(
  call: ToolCallRecord,
  { trace, message }: { trace: Trace; message: ToolResultMessage | undefined },
): RecordedAnswer['answer'] | null {
  if (call.result === null) return null;
  const isOwn = trace.tool_errors.some(({ tool_call_id, kind }) => tool_call_id === call.id && OWN_ERRORS.has(kind));
  if (isOwn) return null;
  if (call.is_error) return { error: call.result.trim() === '' ? 'The call failed.' : call.result };
  const files = writtenFiles(message?.files);
  // The record of a call names its files in its text.
  return files ? { respond: message?.content ?? '', files } : { respond: asJson(call.result) };
}

const DEEPEST_JSON = 20;

/** The value whose JSON is exactly this text, for people to read; otherwise the text. */
function asJson(text: string): unknown {
  const { end, deepest } = bracketsFrom(text, 0);
  if (end !== text.length || deepest > DEEPEST_JSON || text.includes('__proto__')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text && isExact(value) ? value : text;
  } catch {
    return text;
  }
}

function writtenTool(
  tool: WrittenTool,
  { calls, answers }: { calls: readonly ToolCallRecord[]; answers: readonly RecordedAnswer[] },
): WrittenTool {
  const { name, description, effect = calls.find((call) => call.effect)?.effect } = tool;
  const own = plainMocks(tool);
  const always = own.length === 1 && own[0] && alwaysAnswers(own[0], answers) ? own[0] : null;
  const recorded = always ? [always] : recordedMocks(answers);
  const seen = new Set(recorded.map((mock) => canonicalJson(mock)));
  const mocks = [...recorded, ...own.filter((mock) => !seen.has(canonicalJson(mock)))];
  return {
    name,
    ...(description !== undefined && description !== '' && { description }),
    ...parametersOf(tool, calls),
    ...(effect && { effect }),
    ...mockFields(mocks),
  };
}

function parametersOf(tool: WrittenTool, calls: readonly ToolCallRecord[]): Pick<WrittenTool, 'parameters'> {
  const { parameters = {} } = tool;
  const { type: _, properties, ...rest } = parameters;
  const isDeclared = Object.keys(rest).length > 0 || (isRecord(properties) && Object.keys(properties).length > 0);
  const inferred = calls.map((call) => call.arguments);
  const schema = isDeclared ? parameters : objectSchema(inferred);
  const { properties: named } = schema;
  return isRecord(named) && Object.keys(named).length === 0 && !isDeclared ? {} : { parameters: schema };
}

function mockFields(mocks: readonly Mock[]): Pick<WrittenTool, 'mock_response' | 'mock_responses'> {
  const [only, ...others] = mocks;
  if (!only) return { mock_responses: [{ error: NOTHING_RECORDED }] };
  const isPlain = others.length === 0 && Object.keys(only).every((key) => key === 'respond');
  return isPlain ? { mock_response: only.respond } : { mock_responses: [...mocks] };
}

/**
 * A mock for each answer, by the arguments of its call. Several answers to the same call are given one after the other, and
 * the last of them again and again.
 */
function recordedMocks(answers: readonly RecordedAnswer[]): Mock[] {
  const groups = [...Map.groupBy(answers, identityOf(answers)).values()].map((group) => ({
    key: keyArguments(answers, group[0]?.arguments ?? {}),
    answers: withoutRepeats(group.map(({ answer }) => answer)),
  }));
  const isAlone = groups.length === 1 && answers.every(({ arguments: args }) => Object.keys(args).length === 0);
  return groups
    .toSorted((a, b) => valueCount(b.key) - valueCount(a.key))
    .flatMap(({ key, answers: list }) => {
      const when = isAlone ? {} : condition(key, groups.length > 1);
      return list.map(({ answer, times }, index) => ({
        ...when,
        ...answer,
        ...(index < list.length - 1 && { times }),
      }));
    });
}

/** Without any arguments: only if the call has none. */
function condition(key: Record<string, unknown>, isOneOfSeveral: boolean): Pick<Mock, 'when'> {
  if (Object.keys(key).length > 0) return { when: demandedArguments(key) };
  return isOneOfSeveral ? { when: 'length(keys(@)) == `0`' } : {};
}

/** What tells the calls apart. Prose does only if the answers depend on it. */
function keyArguments(answers: readonly RecordedAnswer[], args: Record<string, unknown>): Record<string, unknown> {
  return isToldByTelling(answers) ? tellingArguments(args) : exactArguments(args);
}

function identityOf(answers: readonly RecordedAnswer[]): (recorded: RecordedAnswer) => string {
  const isTelling = isToldByTelling(answers);
  return ({ arguments: args }) => canonicalJson(isTelling ? tellingArguments(args) : exactArguments(args));
}

/** Whether calls that differ only in prose had the same answer. */
function isToldByTelling(answers: readonly RecordedAnswer[]): boolean {
  const groups = Map.groupBy(answers, ({ arguments: args }) => canonicalJson(tellingArguments(args)));
  return [...groups.values()].every((group) => {
    const calls = new Set(group.map(({ arguments: args }) => canonicalJson(args)));
    const said = new Set(group.map(({ answer }) => canonicalJson(answer)));
    return calls.size === 1 || said.size === 1;
  });
}

/** Equal answers in a row are one, with how often it was given. */
function withoutRepeats(
  answers: readonly RecordedAnswer['answer'][],
): { answer: RecordedAnswer['answer']; times: number }[] {
  const list: { answer: RecordedAnswer['answer']; times: number }[] = [];
  for (const answer of answers) {
    const last = list.at(-1);
    if (last && canonicalJson(last.answer) === canonicalJson(answer)) last.times += 1;
    else list.push({ answer, times: 1 });
  }
  return list;
}

/** The mocks that the tool had, for calls that were not recorded. Those that need code or a state cannot be taken over. */
function plainMocks(tool: WrittenTool): Mock[] {
  const { mock_response: one, mock_responses = one === undefined ? [] : [{ respond: one }] } = tool;
  return mock_responses.filter(
    ({ respond, respond_from, set, when_state, files }) =>
      !isFunction(respond) && !isHash(respond) && (respond_from ?? set ?? when_state ?? files) === undefined,
  );
}

/** Whether the mock is for all calls, and all of them were answered like this. */
function alwaysAnswers({ when, times, delay_ms: _, ...answer }: Mock, answers: readonly RecordedAnswer[]): boolean {
  if (when !== undefined || times !== undefined) return false;
  return answers.every((recorded) => canonicalJson(recorded.answer) === canonicalJson(answer));
}

/** What is stored of a mock that is a function. */
function isHash(respond: unknown): boolean {
  return isRecord(respond) && Object.keys(respond).length === 1 && '$function' in respond;
}
