import type { Adapter, AdapterConfig, AdapterTurnResult, TrialPlaces } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import type { Observation } from '../adapters/observe/observation.ts';
import type { HookResults } from '../scenario/code/scenario-definition.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { WrittenFile } from '../scenario/schema/tool-schema.ts';
import type { ErrorCode } from '../text/errors/error-codes.ts';
import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import type { Message, MessageFile, ToolCall } from '../trace/message.ts';
import type { RetryRecord, ToolError, Trace } from '../trace/trace.ts';
import { createAgentLog } from './agent-log.ts';
import { recordedTime } from './recorded-time.ts';
import type { ScenarioTools } from './tools/scenario-tools.ts';
import type { ToolsContext, TrialTools } from './tools/tool-source.ts';
import { type RecordedOutcome, type StopReason, TraceRecorder } from './trace-recorder.ts';
import { TrialStopped } from './trial-result.ts';
import type { TrialUser } from './user/trial-user.ts';

/**
 * Sends one request with its retries, and returns how many requests it took. `onRetry` is called for each, and
 * `onUnknownCost` for each that got no answer but may have been charged.
 */
type SendTurn = (turn: {
  messages: Message[];
  config: AdapterConfig;
  onRetry: (record: Omit<RetryRecord, 'turn'>) => void;
  onUnknownCost: () => void;
  onFailedTurn: (observation: Observation) => void;
}) => Promise<{ result: AdapterTurnResult; costUsd: number | null; requests: number }>;

export interface AgentLoopOptions {
  scenario: Scenario;
  /** Null in a scenario without data. */
  caseName: string | null;
  scenarioHash: string;
  model: string;
  adapter: Pick<Adapter, 'providerName'>;
  tools: ScenarioTools;
  /** What functions of the scenario receive besides their arguments. */
  context: ToolsContext;
  /** The simulated user, if the scenario has one. */
  user?: TrialUser | undefined;
  environment?: TrialPlaces | undefined;
  /** Reads the files that messages and mocks name. */
  readFiles: (files: readonly WrittenFile[]) => Promise<MessageFile[]>;
  send: SendTurn;
  seed: number;
  trialNumber: number;
  runId: string;
  /** Unique for the trial. */
  conversationId: string;
  signal: AbortSignal;
  /** Throws if the time is up, also when the agent never let the timer of the signal fire. */
  throwIfOver: () => void;
  /** Milliseconds: the time of day, and the time that the agent has worked. */
  clock: { now: () => number; monotonic: () => number };
}

const STOP_CODES: Record<TrialStopped['reason'], ErrorCode> = {
  timeout: 'TRIAL_TIMEOUT',
  budget: 'TRIAL_BUDGET',
  interrupted: 'TRIAL_INTERRUPTED',
};

/** Thrown inside the loop when no mock answers a call and the scenario has `on_unmocked: fail`. */
class UnmockedCall extends Error {}

/**
 * Lets the agent work on the scenario's task until it stops calling tools; mocks answer its tool calls. Always returns a
 * trace: if something went wrong, `error` says what and `finish_reason` which kind.
 */
export async function runAgentLoop(options: AgentLoopOptions): Promise<Trace> {
  const { adapter, clock } = options;
  const started = clock.monotonic();
  const elapsedSeconds = (): number => (clock.monotonic() - started) / 1000;
  const header = {
    model: options.model,
    provider: adapter.providerName(),
    scenario_hash: options.scenarioHash,
    timestamp: new Date(clock.now()).toISOString(),
  };
  const recorder = new TraceRecorder(header, elapsedSeconds, options.tools.markReported);
  const log = createAgentLog();
  const finish = async (end: { maxTurnsHit: boolean; stopped?: StopReason }): Promise<Trace> => {
    const recorded = recorder.finish({ ...end, latencySeconds: elapsedSeconds(), agentLog: log.text() });
    const { observedTurns } = recorder;
    const trace =
      observedTurns.length === 0
        ? recorded
        : (await import('./observed-turns.ts')).withObservedTurns(recorded, observedTurns, options.tools.markReported);
    return options.user?.addTo(trace) ?? trace;
  };
  let tools: TrialTools | null = null;
  try {
    const started = options.tools.start(options.context);
    tools = started instanceof Promise ? await started : started;
    const beginning = options.tools.beginning && (await options.tools.beginning(options.context, options.signal));
    const isDone = await converse({ ...options, tools, beginning }, recorder, log.add);
    options.throwIfOver();
    return await finish({ maxTurnsHit: !isDone });
  } catch (error) {
    return await finish({ maxTurnsHit: false, stopped: stopReason(error, options.signal) });
  } finally {
    const ended = tools?.end();
    if (ended) await ended;
  }
}

/** The reason is the trace's `finish_reason`; the code says whether the agent crashed or could not be called. */
function stopReason(error: unknown, signal: AbortSignal): StopReason {
  if (error instanceof UnmockedCall) {
    return { reason: 'unmocked_call', code: 'UNMOCKED_CALL', message: `${error.message} (on_unmocked: fail)` };
  }
  // After an abort the signal is the reason, not the error that the adapter throws because of it.
  const cause = signal.aborted && signal.reason instanceof TrialStopped ? signal.reason : error;
  if (cause instanceof TrialStopped) {
    return { reason: cause.reason, code: STOP_CODES[cause.reason], message: cause.message };
  }
  const code = cause instanceof SalvoError ? cause.code : 'AGENT_ERROR';
  const stack = cause instanceof AdapterError ? cause.agentStack : undefined;
  return { reason: 'error', code, message: errorMessage(cause), stack };
}

/** What `setupTrial` returned under `share`, as JSON: agents in files, programs and servers receive it. */
export function sharedByHooks({ trial }: Pick<HookResults, 'trial'>): unknown {
  const text = isRecord(trial) ? JSON.stringify(trial.share) : undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** The errors that are the answer of a tool. */
const TOOL_ANSWERED: ReadonlySet<ToolError['kind']> = new Set(['mocked_error', 'tool_failed']);

/** False if the agent was still calling tools at its last turn. */
async function converse(
  options: Omit<AgentLoopOptions, 'tools'> & { tools: TrialTools; beginning: PlannedMessage[] | undefined },
  recorder: TraceRecorder,
  log: (text: string) => void,
): Promise<boolean> {
  const { scenario, signal, tools, user } = options;
  const started = options.clock.now();
  const { row, hooks } = options.context;
  const share = sharedByHooks(hooks);
  let requests = 0;
  let agentCalls = 0;
  /** Set if a call ends the trial: no mock answers it, or what answers it failed. */
  let failure: unknown = null;

  const answer = async (call: ToolCall): Promise<RecordedOutcome> => {
    try {
      const answering = tools.answer(call, signal);
      const { files, ...answered } = answering instanceof Promise ? await answering : answering;
      const given = { ...answered, effect: tools.effectOf(call.name) };
      const outcome = files ? await withFilesOf(given, await options.readFiles(files)) : given;
      const hasNoMock = outcome.problem !== null && !TOOL_ANSWERED.has(outcome.problem.kind);
      if (hasNoMock && scenario.on_unmocked === 'fail') failure ??= new UnmockedCall(outcome.content);
      return outcome;
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  // An agent in this process may swallow what its tool call throws, so the loop looks at `failure` afterwards.
  const callTool: NonNullable<AdapterConfig['callTool']> = async (name, args) => {
    agentCalls += 1;
    const call: ToolCall = { id: `call_${agentCalls}`, name, arguments: args };
    const outcome = await answer(call);
    recorder.agentToolCall(call, outcome);
    if (failure) throw failure;
    const files = outcome.files && { files: outcome.files };
    return { content: outcome.content, ...files, is_error: outcome.is_error };
  };
  /** The chunks of a stream that the agent is returning. */
  let chunks: string[] = [];
  const send = () =>
    options.send({
      messages: recorder.messages,
      config: {
        ...requestOf(options, share, requests),
        log,
        chunk: (json) => chunks.push(json),
        callTool,
      },
      onRetry: (record) => {
        chunks = [];
        recorder.retry(record);
      },
      onUnknownCost: () => recorder.unknownCost(),
      onFailedTurn: (observation) => recorder.failedTurn(observation),
    });
  const sendTurn = async (): Promise<{ result: AdapterTurnResult; costUsd: number | null }> => {
    let sent: Awaited<ReturnType<SendTurn>>;
    chunks = [];
    try {
      sent = await send();
    } catch (error) {
      if (chunks.length > 0) await (await import('./partial-answer.ts')).addPartial(recorder, chunks);
      throw failure ?? error;
    }
    if (failure) {
      recorder.unknownCost();
      throw failure;
    }
    requests += sent.requests;
    return sent;
  };

  const plan = conversationPlan(scenario, options.beginning);
  for (;;) {
    const piece = plan.shift() ?? (user && (await user.next(recorder.messages)));
    if (!piece) return true;
    const hasFiles = scenario.attached ?? options.beginning;
    const files = hasFiles && (await filesOfPiece(piece, options.readFiles));
    recorder.send(piece.map((message, index) => withFiles(message, files?.[index])));
    if (piece.at(-1)?.role !== 'user') continue;
    if (user && !user.waitsForAnswer()) return true;
    for (;;) {
      if (recorder.turns >= scenario.max_turns) {
        user?.outOfTurns();
        return false;
      }
      options.throwIfOver();
      recorder.ask();
      const { result, costUsd } = await sendTurn();
      recorder.turn(result, costUsd, recordedTime(result, { row, started }));
      if (result.trace || result.tool_calls.length === 0) break;
      for (const call of result.tool_calls) {
        recorder.toolCall(call, await answer(call));
        if (failure) throw failure;
      }
    }
  }
}

/** What a request of the agent asks for, and which conversation it belongs to. */
function requestOf(options: Omit<AgentLoopOptions, 'tools'>, share: unknown, request: number): AdapterConfig {
  const { scenario, model, signal, caseName, environment, seed, trialNumber } = options;
  const { temperature, max_tokens: maxTokens, extras } = scenario;
  const { row } = options.context;
  return {
    ...{ model, temperature, maxTokens, seed: scenario.seed, extras, signal },
    conversation: {
      id: options.conversationId,
      runId: options.runId,
      scenario: scenario.name,
      ...(caseName === null ? {} : { case: caseName }),
      ...(Object.keys(row).length === 0 ? {} : { row }),
      ...(share === undefined ? {} : { share }),
      ...(environment && { environment }),
      ...{ seed, trialNumber, request },
    },
  };
}

/** The record of the call can only have a text, which names the files. So does a result that consists of them. */
async function withFilesOf(outcome: RecordedOutcome, files: MessageFile[]): Promise<RecordedOutcome> {
  const { textWithMarkers } = await import('../trace/files/message-file.ts');
  return { ...outcome, files, recorded: textWithMarkers({ ...outcome, files }) };
}

/** A message of the scenario, whose files are still what the scenario says about them. */
type PlannedMessage = { role: 'system'; content: string } | NonNullable<Scenario['messages']>[number];

function withFiles(message: PlannedMessage, read: MessageFile[] | undefined): Message {
  if (message.role === 'system' || message.role === 'assistant') return message;
  const { files: _, ...rest } = message;
  return read === undefined ? rest : { ...rest, files: read };
}

function filesOfPiece(piece: readonly PlannedMessage[], readFiles: AgentLoopOptions['readFiles']) {
  const read = piece.map((message) => ('files' in message && message.files ? readFiles(message.files) : undefined));
  return Promise.all(read);
}

/**
 * The conversation in pieces, each ending with a user message the agent has to answer before the next piece is sent.
 * A user message that an assistant message follows is history: that turn has been answered already. The last piece of a
 * scenario with a simulated user may have no such message: what that user says first follows it. `beginning` is a prompt
 * of a server, which is one piece, whoever speaks in it.
 */
function conversationPlan(scenario: Scenario, beginning: PlannedMessage[] | undefined): PlannedMessage[][] {
  const pieces: PlannedMessage[][] = [];
  let piece: PlannedMessage[] = [];
  if (scenario.system_prompt !== undefined) piece.push({ role: 'system', content: scenario.system_prompt });
  if (beginning) return [[...piece, ...beginning]];
  const { prompt = '', files } = scenario;
  const isUserFirst = scenario.user !== undefined && prompt === '';
  const asked: PlannedMessage[] = isUserFirst ? [] : [{ role: 'user', content: prompt, ...(files && { files }) }];
  const messages: PlannedMessage[] = scenario.messages ?? asked;
  for (const [index, message] of messages.entries()) {
    piece.push(message);
    const next = messages[index + 1];
    if (message.role === 'user' && (next === undefined || next.role === 'user')) {
      pieces.push(piece);
      piece = [];
    }
  }
  return piece.length === 0 ? pieces : [...pieces, piece];
}
