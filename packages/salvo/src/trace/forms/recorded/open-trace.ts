import { sumOrUnknown } from '../../../stats/sum-or-unknown.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import type { Message } from '../../message.ts';
import { Conversation } from '../conversation.ts';
import { FormError } from '../form-error.ts';
import { readMessages } from '../read-messages.ts';
import { exchange, type RecordedCall } from '../recorded-call.ts';
import { sumUsage } from '../usage.ts';
import { addToolSteps, type ToolRun, toolRunOf, toolRunsIn } from './add-tool-steps.ts';
import { type CallChain, callChains, type ReadCall, type TimedMessage } from './call-chains.ts';
import { messagesIn } from './recorded-messages.ts';
import type { RecordedStep, RecordedTrace } from './recorded-step.ts';
import { type StepTree, stepTree } from './step-tree.ts';

/** What a trace with its steps says about the conversation that it recorded. */
export interface OpenedTrace extends RecordedCall {
  cost_usd: number | null;
}

/**
 * Opens a trace of a tracing tool: the calls of its model, joined, are the conversation, and its tools have the results.
 * Throws a `FormError` if it is not certain what the conversation was: a trace is never read as a text.
 */
export function openTrace(trace: RecordedTrace): OpenedTrace {
  const tree = stepTree(trace);
  const answered = [...tree.calls, ...[...tree.inner.values()].flat()].filter(wasAnswered);
  const start = tree.steps.reduce((least, step) => Math.min(least, step.start ?? least), Number.POSITIVE_INFINITY);
  const end = tree.steps.reduce((most, step) => Math.max(most, step.end ?? most), Number.NEGATIVE_INFINITY);
  return {
    messages: addToolSteps(chainMessages(trace, tree), toolRuns(tree)),
    model: tree.calls.findLast(({ model }) => model !== null)?.model ?? null,
    usage: sumUsage(answered.map(({ usage }) => usage)),
    cost_usd: answered.length === 0 ? null : sumOrUnknown(answered.map(({ cost_usd }) => cost_usd)),
    latency_seconds: Number.isFinite(end - start) ? Math.max(0, end - start) / 1000 : null,
    timestamp: Number.isFinite(start) ? new Date(start).toISOString() : null,
  };
}

/** The calls of the model as one conversation, or what the trace says as a whole if they are not one. */
function chainMessages(trace: RecordedTrace, tree: StepTree): TimedMessage[] {
  const root = rootMessages(trace);
  const isWhole = root.filter(({ message }) => message.role === 'assistant').length > 1;
  const { what } = trace;
  if (tree.calls.length === 0) {
    if (tree.tools.length > 0 && root.length > 0) return root;
    throw new FormError(
      what,
      `has ${tree.steps.length} steps, and none of them is a call of a model (${namesOf(tree.steps)}), so nobody knows what was said and called: pass only {input, output} to judge an answer`,
    );
  }
  try {
    const chains = callChains(tree.calls.map((step, index) => readCall(step, index)));
    const [chain] = chains;
    if (chain && chains.length === 1 && hasEnd(chain)) return chain.messages;
    if (!chain || chains.length > 1) throw new FormError(what, severalChains(chains));
    const last = chain.steps.at(-1)?.place;
    throw new FormError(
      what,
      `has no output of the last call of its model, ${last}, so nobody knows what was said and called`,
    );
  } catch (error) {
    // A list of messages is the agent's own record of what was said, which a question and an answer are not.
    if (error instanceof FormError && isWhole) return root;
    throw error;
  }
}

function hasEnd({ steps, messages }: CallChain): boolean {
  const last = steps.at(-1);
  return messages.some(({ message }) => message.role === 'assistant') && (last?.output !== null || last.error !== null);
}

function severalChains(chains: readonly CallChain[]): string {
  const first = chains.slice(0, 5).map(({ steps }) => steps[0]?.place);
  return `holds ${chains.length} conversations that do not continue each other, which begin with ${first.join(', ')}: pass the steps of one of them, or only {input, output} to judge an answer`;
}

/** What a call of a model was sent and answered. `idPrefix` is for tool calls without an id. */
export function readCall(step: RecordedStep, index: number, idPrefix = ''): ReadCall {
  const read = (value: unknown, role: 'user' | 'assistant', field: string): Message[] => {
    const place = `${step.place}.${field}`;
    return value === null ? [] : ourMessages(messagesIn(value, role, place), place, `${idPrefix}${role}_${index + 1}`);
  };
  const [input, output] = step.fields;
  return { step, sent: read(step.input, 'user', input), answered: read(step.output, 'assistant', output) };
}

/** `idPrefix` is for calls without an id. */
function ourMessages(messages: unknown[], place: string, idPrefix: string): Message[] {
  const conversation = new Conversation(idPrefix);
  readMessages(messages, conversation, place);
  return conversation.messages;
}

/** What the trace as a whole was asked and answered; empty if it does not say so. */
function rootMessages({ roots, steps }: RecordedTrace): TimedMessage[] {
  const start = steps.reduce((least, step) => Math.min(least, step.start ?? least), Number.POSITIVE_INFINITY);
  for (const { input, output, fields } of roots) {
    try {
      const messages = ourMessages(exchange(input, output, fields), 'messages', 'call');
      const last = messages.findLastIndex(({ role }) => role === 'assistant');
      // Tools ran before the last answer.
      if (last >= 0)
        return messages.map((message, at) => ({ message, time: at < last ? start : Number.POSITIVE_INFINITY }));
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
    }
  }
  return [];
}

function namesOf(steps: readonly RecordedStep[]): string {
  const names = [...new Set(steps.map(({ name }) => quoteOutput(name, { length: 40 })))];
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

/** The tools that ran, and the calls of models within them that no step shows. */
export function toolRuns({ tools, inner, ownerOf }: StepTree): ToolRun[] {
  const runs = tools.map((step) => toolRunOf(step, ownerOf(step) !== null));
  for (const [owner, steps] of inner) {
    if (owner.kind === 'guard') continue;
    const shown = Map.groupBy(
      tools.filter((step) => ownerOf(step) === owner),
      ({ name }) => name,
    );
    for (const run of callsWithin(owner, steps)) if (!shown.get(run.name)?.pop()) runs.push(run);
  }
  return runs;
}

function callsWithin(owner: RecordedStep, steps: readonly RecordedStep[]): ToolRun[] {
  const calls = steps.map((step, index) => readCall(step, index));
  return runsOfChains(callChains(calls), calls, owner.start ?? 0);
}

/** The calls that models made in conversations. */
export function runsOfChains(chains: readonly CallChain[], calls: readonly ReadCall[], time: number): ToolRun[] {
  // What a model was sent may hold calls that others made.
  const made = new Set(calls.flatMap(({ answered }) => answered));
  const messages = chains.flatMap((chain) => chain.messages.map(({ message }) => message));
  return toolRunsIn(
    messages.filter((message) => message.role === 'tool_result' || made.has(message)),
    time,
  );
}

/** A call that failed has neither an answer nor tokens. */
function wasAnswered({ error, output, usage }: RecordedStep): boolean {
  return error === null || output !== null || usage !== null;
}
