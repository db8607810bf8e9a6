import { sleep } from '../../models/call/retry-policy.ts';
import type { ToolFunction } from '../../scenario/code/scenario-definition.ts';
import { matchesArguments } from '../../scenario/compile/argument-match.ts';
import type { Mock, Tool } from '../../scenario/schema/tool-schema.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { compileExpression } from '../../text/json/expression.ts';
import { isFunction } from '../../text/json/is-record.ts';
import { remembered } from '../../text/memo.ts';
import type { ToolCall } from '../../trace/message.ts';
import type { ToolError } from '../../trace/trace.ts';
import type { ToolOutcome, ToolSource, ToolsContext } from './tool-source.ts';

/** The mocks of a tool, which count in each trial how often an answer has been used; null if the tool has none. */
export function mockedTool(tool: Tool): ToolSource | null {
  const mocks = mocksOf(tool);
  if (mocks.length === 0) return null;
  return {
    usesState: mocks.some(usesState),
    start(context) {
      const uses = new Map<Mock, number>();
      return {
        answer(call, signal) {
          for (const mock of mocks) {
            const used = uses.get(mock) ?? 0;
            if (mock.times !== undefined && used >= mock.times) continue;
            if (mock.when !== undefined && !matchesArguments(call.arguments, mock.when)) continue;
            if (mock.when_state !== undefined && !matchesArguments(seenBy(context, call), mock.when_state)) continue;
            uses.set(mock, used + 1);
            return answerOf(mock, call, { ...context, signal });
          }
          return noAnswer(call.name);
        },
      };
    },
  };
}

export function problem(kind: ToolError['kind'], message: string): ToolOutcome {
  return { content: message, is_error: true, problem: { kind, message } };
}

export function noAnswer(name: string): ToolOutcome {
  return problem('no_matching_mock', `No answer is available for this call of "${name}".`);
}

function mocksOf(tool: Tool): Mock[] {
  if (tool.mock_responses) return tool.mock_responses;
  return tool.mock_response === undefined ? [] : [{ respond: tool.mock_response }];
}

function usesState({ respond, respond_from, set, when_state }: Mock): boolean {
  return isFunction(respond) || (respond_from ?? set ?? when_state) !== undefined;
}

/** What expressions of a mock read. */
function seenBy({ state }: Pick<ToolsContext, 'state'>, call: ToolCall) {
  return { state: state.document, arguments: call.arguments };
}

type CallContext = ToolsContext & { signal: AbortSignal };

type Answer = Promise<ToolOutcome> | ToolOutcome;

/** At once if it can be: most mocks neither wait nor change the state. */
function answerOf(mock: Mock, call: ToolCall, context: CallContext): Answer {
  const waits = mock.delay_ms !== undefined && !context.isPlayed;
  return waits || mock.set !== undefined ? answerLater(mock, call, context) : answerNow(mock, call, context);
}

async function answerLater(mock: Mock, call: ToolCall, context: CallContext): Promise<ToolOutcome> {
  if (mock.delay_ms && !context.isPlayed) await sleep(mock.delay_ms / 1000, context.signal);
  if (mock.set !== undefined) {
    const { changeState } = await import('./change-state.ts');
    const refused = changeState([mock.set].flat(), seenBy(context, call));
    if (refused !== null) return problem('mocked_error', refused);
  }
  return answerNow(mock, call, context);
}

function answerNow(mock: Mock, call: ToolCall, context: CallContext): Answer {
  if (mock.error !== undefined) return problem('mocked_error', mock.error);
  const answer = plainAnswer(mock, call, context);
  const { files } = mock;
  if (!files) return answer;
  const withFiles = (outcome: ToolOutcome) => (outcome.is_error ? outcome : { ...outcome, files });
  return answer instanceof Promise ? answer.then(withFiles) : withFiles(answer);
}

function plainAnswer(mock: Mock, call: ToolCall, context: CallContext): Answer {
  const { respond, respond_from } = mock;
  if (isFunction<ToolFunction>(respond)) return callFunction(respond, call, context, 'mocked_error');
  const content =
    respond_from === undefined ? fixedText(respond) : toText(compileExpression(respond_from)(seenBy(context, call)));
  return { content, is_error: false, problem: null };
}

/** What a function of the user answers to a call. What it throws is a tool error of this kind, which the agent sees. */
export async function callFunction(
  respond: ToolFunction,
  call: ToolCall,
  context: CallContext,
  kind: 'mocked_error' | 'tool_failed',
): Promise<ToolOutcome> {
  const { state, isPlayed: _played, variables: _variables, faultSeed: _seed, signal, ...rest } = context;
  try {
    // Copies: what the function does to its arguments must not change the trace, nor the row of others.
    const own = { ...rest, signal, row: structuredClone(context.row), state: state.document };
    const response = await untilAborted(respond(structuredClone(call.arguments), own), signal);
    return { content: toText(response), is_error: false, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return problem(kind, errorMessage(error));
  }
}

/** A function that never ends must not keep its trial. */
async function untilAborted(answer: unknown, signal: AbortSignal): Promise<unknown> {
  if (!(answer instanceof Promise)) return answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return await Promise.race([answer, promise]).finally(() => signal.removeEventListener('abort', abort));
}

function toText(response: unknown): string {
  return typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
}

/** The same answers are given in every trial, and nobody changes them. */
const fixedTexts = new WeakMap<object, string>();

function fixedText(response: unknown): string {
  if (typeof response !== 'object' || response === null) return toText(response);
  return remembered(fixedTexts, response, () => toText(response));
}
