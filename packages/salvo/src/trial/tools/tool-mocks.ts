import type { ToolDefinition } from '../../adapters/adapter.ts';
import { sleep } from '../../models/call/sleep.ts';
import type { ToolFunction, TrialContext } from '../../scenario/code/scenario-definition.ts';
import { matchesArguments } from '../../scenario/compile/argument-match.ts';
import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import type { Mock, Tool } from '../../scenario/schema/scenario-schema.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { doubledKey } from '../../text/json/doubled-keys.ts';
import { remembered } from '../../text/memo.ts';
import { isAgentCall, sameTool } from '../../trace/agent-call.ts';
import type { ToolCall } from '../../trace/message.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, ToolError } from '../../trace/trace.ts';
import type { ToolOutcome } from './tool-source.ts';

/** The tools of a scenario, compiled once for all its trials. */
export type MockedTools = ReturnType<typeof mockTools>;

interface MockedTool {
  problemsOf: (args: unknown) => string[];
  mocks: Mock[];
}

export function mockTools(tools: Tool[]) {
  const byName = new Map<string, MockedTool>();
  for (const tool of tools) {
    byName.set(tool.name, { problemsOf: compileJsonSchema(tool.parameters), mocks: mocksOf(tool) });
  }
  return {
    definitions: tools.map(({ name, description, parameters }): ToolDefinition => ({ name, description, parameters })),
    /** A call that the agent reports and no mock answered, with what the scenario knows about its tool. */
    markReported: (call: ToolCallRecord) => markReported(call, tools, byName),
    /** `context` is for mocks that are functions. */
    start: (context: Omit<TrialContext, 'signal'>) => startMocks(byName, context),
  };
}

/**
 * A call that the agent reports, and that did not come through a mock. If the tool has one, the agent bypassed it, unless
 * nothing was executed: an error for arguments that the tool does not accept is a refusal.
 */
function markReported(
  call: ToolCallRecord,
  tools: readonly Tool[],
  byName: ReadonlyMap<string, MockedTool>,
): ToolCallRecord {
  const marked = isAgentCall(call, tools) ? { ...call, agent: true } : call;
  const name = tools.find((tool) => sameTool(tool.name, call.name))?.name;
  const tool = name === undefined ? undefined : byName.get(name);
  if (!tool || tool.mocks.length === 0 || !wasExecuted(call)) return marked;
  if (call.is_error && tool.problemsOf(call.arguments).length > 0) return { ...marked, seen: 'requested' };
  return { ...marked, bypassed_mock: true };
}

function mocksOf(tool: Tool): Mock[] {
  if (tool.mock_responses) return tool.mock_responses;
  return tool.mock_response === undefined ? [] : [{ respond: tool.mock_response }];
}

/** The mocks of one trial. They count how often each answer has been used. */
function startMocks(tools: Map<string, MockedTool>, context: Omit<TrialContext, 'signal'>) {
  const uses = new Map<Mock, number>();
  return {
    async answer(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> {
      const tool = tools.get(call.name);
      if (!tool) {
        const known = [...tools.keys()].join(', ') || 'none';
        return problem('unknown_tool', `Unknown tool "${call.name}". Available tools: ${known}.`);
      }
      if (call.raw_arguments !== undefined) {
        const doubled = doubledKey(call.raw_arguments);
        const reason = doubled === null ? 'are not a JSON object' : `have the key "${doubled}" twice in one object`;
        return problem('malformed_arguments', `The arguments of "${call.name}" ${reason}.`);
      }
      const broken = tool.problemsOf(call.arguments);
      if (broken.length > 0) {
        return problem('invalid_arguments', `Invalid arguments for "${call.name}": ${broken.join('; ')}`);
      }
      for (const mock of tool.mocks) {
        const used = uses.get(mock) ?? 0;
        if (mock.times !== undefined && used >= mock.times) continue;
        if (mock.when !== undefined && !matchesArguments(call.arguments, mock.when)) continue;
        uses.set(mock, used + 1);
        if (mock.delay_ms) await sleep(mock.delay_ms / 1000, signal);
        if (mock.error !== undefined) return problem('mocked_error', mock.error);
        const { respond, files } = mock;
        const outcome: ToolOutcome = isToolFunction(respond)
          ? await answerOf(respond, call, { ...context, signal })
          : { content: fixedText(respond), is_error: false, problem: null };
        return files && !outcome.is_error ? { ...outcome, files } : outcome;
      }
      return problem('no_matching_mock', `No answer is available for this call of "${call.name}".`);
    },
  };
}

async function answerOf(respond: ToolFunction, call: ToolCall, context: TrialContext): Promise<ToolOutcome> {
  try {
    // Copies: what the function does to its arguments must not change the trace, nor the row of others.
    const own = { ...context, row: structuredClone(context.row) };
    const response = await respond(structuredClone(call.arguments), own);
    return { content: toText(response), is_error: false, problem: null };
  } catch (error) {
    context.signal.throwIfAborted();
    return problem('mocked_error', errorMessage(error));
  }
}

function isToolFunction(value: unknown): value is ToolFunction {
  return typeof value === 'function';
}

function problem(kind: ToolError['kind'], message: string): ToolOutcome {
  return { content: message, is_error: true, problem: { kind, message } };
}

/** The same answers are given in every trial, and nobody changes them. */
const fixedTexts = new WeakMap<object, string>();

function fixedText(response: unknown): string {
  if (typeof response !== 'object' || response === null) return toText(response);
  return remembered(fixedTexts, response, () => toText(response));
}

function toText(response: unknown): string {
  return typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
}
