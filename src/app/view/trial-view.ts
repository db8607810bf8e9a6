import { assertionIds } from '../../evaluators/assertion-ids.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { Message, ToolCall } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { findRun } from '../open-project.ts';
import { prettyJson } from './pretty-json.ts';

/** A trial with its result. The messages of its conversation come in pages: see `messagePage`. */
export interface TrialView {
  run_id: string;
  scenario: { index: number; name: string; file: string; model: string; adapter: string };
  case_index: number;
  /** Null without data. */
  case: string | null;
  /** The row of the case as JSON; null without data. */
  row: string | null;
  trial_number: number;
  /** Null while it was not judged. */
  result: TrialResult | null;
  /** Null if nothing was recorded. */
  trace: TraceHead | null;
  /** What each assertion demands in this case, as JSON. */
  assertions: { id: string; definition: string }[];
}

/** A trace without its messages. */
export interface TraceHead extends Omit<Trace, 'messages' | 'tool_calls_made' | 'final_content'> {
  trace_id: string;
  message_count: number;
}

export interface TrialPlace {
  scenario: number;
  case: number;
  trial: number;
}

export async function trialView(store: Store, idOrPrefix: string, place: TrialPlace): Promise<TrialView> {
  const run = await findRun(store, idOrPrefix);
  const trial = await store.getTrial(run.run_id, place);
  const entry = run.scenarios[place.scenario];
  if (!trial || !entry) throw new SalvoError('UNKNOWN_TRIAL', `Run ${run.run_id} has no such trial.`);
  const { name, file, model, adapter } = entry;
  const row = scenarioCases(entry.scenario).rowOf(place.case);
  const trace = trial.trace_id === null ? null : await store.getTrace(trial.trace_id);
  return {
    run_id: run.run_id,
    scenario: { index: place.scenario, name, file, model, adapter },
    case_index: place.case,
    case: trial.case,
    row: row === null ? null : prettyJson(row),
    trial_number: trial.trial_number,
    result: trial.result,
    trace: trace && traceHead(trial.trace_id ?? '', trace),
    assertions: demands(entry.scenario, place.case),
  };
}

function traceHead(trace_id: string, trace: Trace): TraceHead {
  const { messages, tool_calls_made: _, final_content: __, ...head } = trace;
  return { ...head, trace_id, message_count: messages.length };
}

/** A row whose values do not fit gives no scenario: the trial was not scored then, and its result says why. */
function demands(scenario: Scenario, caseIndex: number): TrialView['assertions'] {
  // Ids are made from the templates, so that an assertion has the same one in all cases.
  const ids = assertionIds(scenario.assertions);
  return casesAssertions(scenario, caseIndex).map((assertion, index) => ({
    id: ids[index] ?? assertion.type,
    definition: prettyJson(assertion),
  }));
}

function casesAssertions(scenario: Scenario, caseIndex: number): readonly Assertion[] {
  try {
    return scenarioCases(scenario).scenarioOf(caseIndex).assertions;
  } catch {
    return scenario.assertions;
  }
}

/** A message as it is shown. Long texts are shortened; `messageText` has them in full. */
export interface MessageView {
  /** Its position in the trace, from 0. */
  index: number;
  role: Message['role'];
  /** The turn of the model that it belongs to, from 1; 0 before the first. */
  turn: number;
  content: ShownText | null;
  reasoning: ShownText | null;
  tool_calls: { id: string; name: string; arguments: ShownText; error: string | null }[];
  /** Of a tool's result. */
  tool: { call_id: string; name: string; is_error: boolean } | null;
}

export interface ShownText {
  text: string;
  /** Of the whole text, if it is longer. */
  full_length: number;
}

export interface MessagePage {
  total: number;
  messages: MessageView[];
}

const LONGEST_TEXT = 20_000;

export async function messagePage(
  store: Store,
  traceId: string,
  page: { offset: number; limit: number },
): Promise<MessagePage> {
  const trace = await existingTrace(store, traceId);
  let turn = 0;
  const views = trace.messages.map((message, index) => {
    if (message.role === 'assistant') turn += 1;
    return { message, index, turn };
  });
  const shown = views.slice(page.offset, page.offset + page.limit);
  return { total: trace.messages.length, messages: shown.map((each) => messageView(each, trace)) };
}

/** The whole text of a message, with its reasoning and its tool calls. */
export async function messageText(store: Store, traceId: string, index: number): Promise<string> {
  const message = (await existingTrace(store, traceId)).messages[index];
  if (!message) throw new SalvoError('UNKNOWN_MESSAGE', `Trace ${traceId} has no message ${index}.`);
  if (message.role !== 'assistant') return message.content;
  const calls = message.tool_calls.map((call) => `${call.name}(${argumentsText(call)})`);
  return [message.reasoning, message.content, ...calls].filter((part) => part).join('\n\n');
}

async function existingTrace(store: Store, traceId: string): Promise<Trace> {
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('UNKNOWN_TRACE', `There is no trace ${traceId}.`);
  return trace;
}

function messageView(
  { message, index, turn }: { message: Message; index: number; turn: number },
  trace: Trace,
): MessageView {
  const common = { index, role: message.role, turn, content: shownText(message.content), reasoning: null };
  if (message.role === 'tool_result') {
    const { tool_call_id: call_id, name, is_error } = message;
    return { ...common, tool_calls: [], tool: { call_id, name, is_error } };
  }
  if (message.role !== 'assistant') return { ...common, tool_calls: [], tool: null };
  return {
    ...common,
    reasoning: shownText(message.reasoning ?? null),
    tool_calls: message.tool_calls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: shownText(argumentsText(call)) ?? { text: '', full_length: 0 },
      error:
        trace.tool_errors.find(({ tool_call_id, turn: at }) => tool_call_id === call.id && at === turn)?.message ??
        null,
    })),
    tool: null,
  };
}

function argumentsText({ arguments: given, raw_arguments }: ToolCall): string {
  return raw_arguments ?? prettyJson(given);
}

function shownText(text: string | null): ShownText | null {
  if (text === null) return null;
  return { text: text.slice(0, LONGEST_TEXT), full_length: text.length };
}
