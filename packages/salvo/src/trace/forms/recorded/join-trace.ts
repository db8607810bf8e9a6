import { sumOrUnknown } from '../../../stats/sum-or-unknown.ts';
import { finalContent, type Message } from '../../message.ts';
import { FormError } from '../form-error.ts';
import { sumUsage, type Usage } from '../usage.ts';
import { addToolSteps, toolRunOf } from './add-tool-steps.ts';
import { type AgentTree, agentTree, type PlacedStep, type TracedAgent } from './agent-tree.ts';
import { type CallChain, callChains, type ReadCall, type TimedMessage } from './call-chains.ts';
import { looseMessages, type Problem } from './loose-messages.ts';
import { type RecordedStep, type RecordedTrace, rootsOf } from './recorded-step.ts';

/** An agent of a trace, and what it was asked first. */
interface AgentFacts {
  name: string;
  /** The agent that it worked for. */
  parent: string | null;
  asked: Message[];
}

/** A whole trace as one conversation. */
export interface JoinedTrace {
  messages: Message[];
  model: string | null;
  provider: string | null;
  usage: Usage | null;
  cost_usd: number | null;
  latency_seconds: number | null;
  timestamp: string | null;
  final_content: string | null;
  finish_reason: string | null;
  error: string | null;
  agents: AgentFacts[];
  problems: Problem[];
}

/** A conversation of a model, and who held it. */
interface HeldChain extends CallChain {
  first: PlacedStep | undefined;
}

/**
 * Joins all steps of a trace into one conversation. Unlike `openTrace` it refuses only a trace in which nothing was said. The
 * conversation is that of the first agent, or the one that ended with the output of the trace. What sub-agents answered is
 * between its messages with their names, in the order of time; what they were asked is in `agents`.
 */
export function joinTrace(trace: RecordedTrace): JoinedTrace {
  const tree = agentTree(trace.steps);
  const { problems } = tree;
  const placedOf = new Map(tree.calls.map((placed) => [placed.step, placed]));
  const calls = readCalls(tree, problems);
  const chains = [...Map.groupBy(calls, ({ step }) => placedOf.get(step)?.owner ?? null)]
    // What a guard says about a message is not said in the conversation.
    .filter(([owner]) => owner?.step.kind !== 'guard')
    .flatMap(([, ofOwner]) => callChains(ofOwner, { byBeginning: true }))
    .map((chain): HeldChain => ({ ...chain, first: chain.steps[0] && placedOf.get(chain.steps[0]) }))
    .filter(({ messages }) => messages.length > 0);
  nameAnswers(calls, placedOf);
  const whole = wholeMessages(trace, tree, problems);
  const main = mainChain(chains, whole);
  const others = chains.filter((chain) => chain !== main);
  nameOthers(others);
  const made = new Set(calls.flatMap(({ answered }) => answered));
  const own = main ? inOrder(askedFirst(main.messages, made)) : whole;
  const said = merged(
    own,
    others.flatMap((chain) => inOrder(madeIn(chain, made))),
  );
  const runs = tree.tools.map(({ step, owner, agent }) => ({
    ...toolRunOf(step, owner !== null),
    agent: agent?.name,
  }));
  const messages = addToolSteps(said, runs);
  if (messages.length === 0) {
    throw new FormError(
      trace.what,
      `has ${trace.steps.length} steps, and none of them says what was asked, answered or called: record the content of messages, too`,
    );
  }
  return {
    messages,
    ...factsOf(tree, main),
    final_content: finalContent(own.map(({ message }) => message)) ?? finalContent(messages),
    agents: agentsOf(main, others, tree),
    problems,
  };
}

/** Of two calls that began together, the one that was sent more is the later one. */
function readCalls({ calls }: AgentTree, problems: Problem[]): ReadCall[] {
  return calls
    .map(({ step }, index): ReadCall => {
      const read = (value: unknown, role: 'user' | 'assistant', field: string) => {
        const place = `${step.place}.${field}`;
        return looseMessages(value, { role, place, idPrefix: `${role}_${index + 1}`, problems });
      };
      const [input, output] = step.fields;
      return { step, sent: read(step.input, 'user', input), answered: read(step.output, 'assistant', output) };
    })
    .map(withoutRepeatedInput)
    .sort((a, b) => (a.step.start ?? 0) - (b.step.start ?? 0) || a.sent.length - b.sent.length);
}

/** A graph returns its whole state: what was sent is in it already. */
function withoutRepeatedInput(call: ReadCall): ReadCall {
  const { sent, answered } = call;
  const isState = answered.length > sent.length && (answered[0]?.role === 'user' || answered[0]?.role === 'system');
  if (!isState) return call;
  const last = answered.findLastIndex(({ role }) => role !== 'assistant');
  const end = Math.min(last + 1, answered.length - 1);
  return { ...call, sent: answered.slice(0, end), answered: answered.slice(end) };
}

/** Who answered, as far as the trace names agents. */
function nameAnswers(calls: readonly ReadCall[], placedOf: ReadonlyMap<RecordedStep, PlacedStep>): void {
  for (const { step, answered } of calls) {
    const name = placedOf.get(step)?.agent?.name;
    if (name === undefined) continue;
    for (const message of answered) if (message.role === 'assistant') message.agent ??= name;
  }
}

/** An answer beside the conversation has a name in any case: that of the tool that called the model, or of the step. */
function nameOthers(chains: readonly HeldChain[]): void {
  for (const { first, messages } of chains) {
    const name = first && nameOf(first);
    for (const { message } of messages) if (name && message.role === 'assistant') message.agent ??= name;
  }
}

function nameOf({ agent, owner, step }: PlacedStep): string {
  return agent?.name ?? owner?.step.name ?? step.name;
}

/** What the trace as a whole was asked and answered; empty if it does not say so. */
function wholeMessages({ roots }: RecordedTrace, { all, calls }: AgentTree, problems: Problem[]): TimedMessage[] {
  const start = all.reduce((least, { step }) => Math.min(least, step.start ?? least), Number.POSITIVE_INFINITY);
  const [only, ...others] = all;
  // One step alone is read as what it says, whatever it is.
  const candidates = (only && others.length === 0 ? [...roots, only.step] : roots).filter((root) => !isTool(root));
  for (const { input, output, fields } of candidates) {
    if (input === null && output === null) continue;
    const read = (value: unknown, role: 'user' | 'assistant', place: string) =>
      looseMessages(value, { role, place, idPrefix: `${role}_0`, problems: calls.length > 0 ? [] : problems });
    const answered = read(output, 'assistant', fields[1]);
    const isState = answered[0]?.role === 'user' || answered[0]?.role === 'system';
    const messages = isState ? answered : withAnswer(read(input, 'user', fields[0]), answered);
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    if (messages.length === 0) continue;
    // Tools ran before the last answer.
    return messages.map((message, at) => ({ message, time: at < last || last < 0 ? start : Number.POSITIVE_INFINITY }));
  }
  return [];
}

/** What a tool was given and returned is no conversation. */
function isTool(root: RecordedTrace['roots'][number] & { kind?: unknown }): boolean {
  return root.kind === 'tool';
}

/** What came back may begin with what was sent last. */
function withAnswer(sent: Message[], answered: Message[]): Message[] {
  const ids = new Set(
    sent.flatMap((message) => (message.role === 'assistant' ? message.tool_calls.map(({ id }) => id) : [])),
  );
  const isRepeated = (message: Message): boolean =>
    message.role === 'assistant' && message.tool_calls.length > 0 && message.tool_calls.every(({ id }) => ids.has(id));
  return [...sent, ...answered.filter((message) => !isRepeated(message))];
}

/** The conversation that ended with the output of the trace; else that of the agent above all others, which ended last. */
function mainChain(chains: readonly HeldChain[], whole: readonly TimedMessage[]): HeldChain | undefined {
  const ended = textAtEnd(whole);
  const candidates = chains.filter(({ first }) => first?.owner === null);
  const all = candidates.length > 0 ? candidates : chains;
  const found = ended === null ? undefined : all.findLast(({ messages }) => textAtEnd(messages) === ended);
  if (found) return found;
  const least = all.reduce(
    (depth, { first }) => Math.min(depth, depthOf(first?.agent ?? null)),
    Number.POSITIVE_INFINITY,
  );
  const highest = all.filter(({ first }) => depthOf(first?.agent ?? null) === least);
  return highest.reduce<HeldChain | undefined>((last, chain) => {
    if (!last) return chain;
    const later = endOf(chain) - endOf(last) || chain.steps.length - last.steps.length;
    return later >= 0 ? chain : last;
  }, undefined);
}

function textAtEnd(messages: readonly TimedMessage[]): string | null {
  return finalContent(messages.map(({ message }) => message))?.trim() || null;
}

function depthOf(agent: TracedAgent | null): number {
  let depth = 0;
  // A trace with agents within agents a thousand times is none: deeper ones count as equal.
  for (let at = agent; at !== null && depth < 1000; at = at.parent) depth += 1;
  return depth;
}

function endOf({ steps }: CallChain): number {
  const last = steps.at(-1);
  return last?.end ?? last?.start ?? 0;
}

/** What a model answered in a conversation, and the results of its calls. What it was sent besides is known to others. */
function madeIn({ messages }: CallChain, made: ReadonlySet<Message>): TimedMessage[] {
  const answers = messages.flatMap(({ message }) =>
    message.role === 'assistant' && made.has(message) ? [message] : [],
  );
  const ids = new Set(answers.flatMap(({ tool_calls }) => tool_calls.map(({ id }) => id)));
  return messages.filter(({ message }) =>
    message.role === 'tool_result' ? ids.has(message.tool_call_id) : made.has(message),
  );
}

/** What the conversation began with was there before anything was done for it. */
function askedFirst(messages: readonly TimedMessage[], made: ReadonlySet<Message>): TimedMessage[] {
  const first = messages.findIndex(({ message }) => made.has(message));
  return messages.map((each, index) => (index < first ? { ...each, time: Number.NEGATIVE_INFINITY } : each));
}

/** Times never go back within a conversation, whatever the clock said. */
function inOrder(messages: readonly TimedMessage[]): TimedMessage[] {
  let latest = Number.NEGATIVE_INFINITY;
  return messages.map(({ message, time }) => {
    latest = Math.max(latest, time);
    return { message, time: latest };
  });
}

/** Both in the order of time. Of two messages at the same time, that of the conversation comes first. */
function merged(main: readonly TimedMessage[], others: readonly TimedMessage[]): TimedMessage[] {
  if (others.length === 0) return [...main];
  const last = main.at(-1);
  const isAnswer = last?.message.role === 'assistant' && last.message.tool_calls.length === 0;
  // The answer of the agent is the last word, also if a clock says that a sub-agent was still at work.
  const body = isAnswer ? main.slice(0, -1) : main;
  const sorted = [...body, ...others].sort((a, b) => a.time - b.time);
  return isAnswer && last
    ? [...sorted, { ...last, time: Math.max(last.time, sorted.at(-1)?.time ?? last.time) }]
    : sorted;
}

function factsOf({ calls, all }: AgentTree, main: HeldChain | undefined) {
  const start = all.reduce((least, { step }) => Math.min(least, step.start ?? least), Number.POSITIVE_INFINITY);
  const end = all.reduce((most, { step }) => Math.max(most, step.end ?? most), Number.NEGATIVE_INFINITY);
  const answered = calls.map(({ step }) => step).filter((step) => wasAnswered(step) && !isCountedWithin(step));
  const steps = main?.steps ?? calls.map(({ step }) => step);
  const last = steps.at(-1);
  const [root] = rootsOf(all.map(({ step }) => step));
  return {
    model: steps.findLast(({ model }) => model !== null)?.model ?? root?.model ?? null,
    provider: steps.findLast(({ provider }) => provider)?.provider ?? null,
    usage: sumUsage(answered.map(({ usage }) => usage)) ?? root?.usage ?? null,
    cost_usd: answered.length === 0 ? null : sumOrUnknown(answered.map(({ cost_usd }) => cost_usd)),
    latency_seconds: Number.isFinite(end - start) ? Math.max(0, end - start) / 1000 : null,
    timestamp: Number.isFinite(start) ? new Date(start).toISOString() : null,
    finish_reason: last?.finish ?? null,
    error: root?.error ?? (last?.output === null ? last.error : null) ?? null,
  };
}

/** A call that failed has neither an answer nor tokens. */
function wasAnswered({ error, output, usage }: RecordedStep): boolean {
  return error === null || output !== null || usage !== null;
}

/** The tokens of an agent that stands for its models are those of its models, if these have any. */
function isCountedWithin({ kind, usage }: RecordedStep): boolean {
  return kind === 'other' && usage === null;
}

/** The agents of a trace in the order in which they began, and then what else asked a model something. */
function agentsOf(main: HeldChain | undefined, others: readonly HeldChain[], { all }: AgentTree): AgentFacts[] {
  const facts = new Map<TracedAgent, AgentFacts>();
  for (const { agent } of all) {
    if (agent && !facts.has(agent))
      facts.set(agent, { name: agent.name, parent: agent.parent?.name ?? null, asked: [] });
  }
  const more = others.flatMap(({ first, messages }) => {
    const end = messages.findIndex(({ message }) => message.role !== 'system' && message.role !== 'user');
    const asked = messages.slice(0, end < 0 ? messages.length : end).map(({ message }) => message);
    const agent = first?.agent ? facts.get(first.agent) : undefined;
    if (!first || asked.length === 0) return [];
    if (!agent || agent.asked.length > 0 || first.agent === main?.first?.agent) {
      return [{ name: nameOf(first), parent: agent?.parent ?? null, asked }];
    }
    agent.asked = asked;
    return [];
  });
  return [...facts.values(), ...more];
}
