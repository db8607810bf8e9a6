import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../../test/import-reader.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { langfuseFormat } from './langfuse.ts';
import { otelFormat } from './otel.ts';

/** What an agent does: in each round it calls tools at once, of which some are agents themselves. */
interface Plan {
  rounds: { tool: Plan | null; isShown: boolean }[][];
}

interface Message {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  calls: { id: string; name: string }[];
  callId?: string;
}

interface Step {
  id: string;
  parent: string | null;
  kind: 'agent' | 'model' | 'tool';
  name: string;
  from: number;
  to: number;
  sent: Message[];
  answer: Message | null;
  callId: string | null;
}

const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    rounds: fc.array(
      fc.array(
        fc.record({ tool: fc.option(tie('plan'), { maxDepth: 2, depthSize: 'small' }), isShown: fc.boolean() }),
        { minLength: 1, maxLength: 3 },
      ),
      { maxLength: 3 },
    ),
  }),
}));

/** The steps that a tracing tool would record, and how many calls and answers there are. */
function recorded(given: Plan): { steps: Step[]; calls: number; answers: number } {
  const steps: Step[] = [];
  let [clock, calls, answers] = [0, 0, 0];
  const add = (step: Omit<Step, 'id' | 'to'>): Step => {
    const added = { ...step, id: String(steps.length + 1).padStart(16, '0'), to: clock };
    steps.push(added);
    return added;
  };
  const ask = (parent: string, sent: Message[], made: Message['calls']): Message => {
    answers += 1;
    const answer: Message = { role: 'assistant', text: `answer ${answers}`, calls: made };
    clock += 2;
    add({ parent, kind: 'model', name: 'chat', from: clock - 1, sent: [...sent], answer, callId: null });
    return answer;
  };
  const work = ({ rounds }: Plan, parent: string | null, task: string): string => {
    const name = `agent ${steps.length + 1}`;
    const agent = add({ parent, kind: 'agent', name, from: clock, sent: [], answer: null, callId: null });
    const history: Message[] = [{ role: 'user', text: task, calls: [] }];
    for (const round of rounds) {
      const made = round.map(() => {
        calls += 1;
        return { id: `call_${calls}`, name: `tool ${calls % 3}` };
      });
      history.push(ask(agent.id, history, made));
      for (const [index, { tool, isShown }] of round.entries()) {
        const { id, name: called } = made[index] ?? { id: '', name: '' };
        const asStep = { kind: 'tool' as const, name: called, sent: [], answer: null, callId: id };
        clock += 1;
        const step = tool || isShown ? add({ ...asStep, parent: agent.id, from: clock }) : null;
        const text = tool && step ? work(tool, step.id, `task of ${id}`) : `result of ${id}`;
        clock += 1;
        if (step) Object.assign(step, { to: clock, answer: { role: 'tool', text, calls: [] } });
        history.push({ role: 'tool', text, calls: [], callId: id });
      }
    }
    const { text } = ask(agent.id, history, []);
    agent.to = clock;
    return text;
  };
  work(given, null, 'the task');
  return { steps, calls, answers };
}

const nanoseconds = (time: number) => `${1_772_000_000_000n + BigInt(Math.round(time * 1000))}000000`;
const argumentsOf = (id: string) => JSON.stringify({ of: id });

function genAi({ kind, name, sent, answer, callId }: Step): Record<string, unknown> {
  const part = ({ role, text, calls, callId: id }: Message) => {
    if (role === 'tool') return { role, parts: [{ type: 'tool_call_response', id, response: text }] };
    const called = calls.map((call) => ({ type: 'tool_call', ...call, arguments: { of: call.id } }));
    return { role, parts: [{ type: 'text', content: text }, ...called] };
  };
  if (kind === 'agent') return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  if (kind === 'tool') {
    return {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': callId },
      ...{ 'gen_ai.tool.call.arguments': argumentsOf(callId ?? ''), 'gen_ai.tool.call.result': answer?.text },
    };
  }
  return {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 3 },
    'gen_ai.input.messages': JSON.stringify(sent.map(part)),
    'gen_ai.output.messages': JSON.stringify(answer ? [part(answer)] : []),
  };
}

/** OpenInference has no ids of calls in the spans of tools. */
function openInference({ kind, name, sent, answer, callId }: Step): Record<string, unknown> {
  const spread = (prefix: string, messages: readonly Message[]) =>
    messages.flatMap(({ role, text, calls, callId: id }, index) => {
      const at = `${prefix}.${index}.message`;
      const called = calls.flatMap((call, place) => {
        const within = `${at}.tool_calls.${place}.tool_call`;
        const fields = [
          [`${within}.function.name`, call.name],
          [`${within}.function.arguments`, argumentsOf(call.id)],
        ];
        return [[`${within}.id`, call.id], ...fields];
      });
      return [[`${at}.role`, role], [`${at}.content`, text], ...(id ? [[`${at}.tool_call_id`, id]] : []), ...called];
    });
  if (kind === 'agent') return { 'openinference.span.kind': 'AGENT', 'agent.name': name };
  if (kind === 'tool') {
    const values = { 'input.value': argumentsOf(callId ?? ''), 'output.value': answer?.text };
    return { 'openinference.span.kind': 'TOOL', 'tool.name': name, ...values };
  }
  return {
    ...{ 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 7, 'llm.token_count.completion': 3 },
    ...Object.fromEntries([
      ...spread('llm.input_messages', sent),
      ...spread('llm.output_messages', answer ? [answer] : []),
    ]),
  };
}

const spanOf = (attributes: (step: Step) => object) => (step: Step) => ({
  ...{ traceId: 'a'.repeat(32), spanId: step.id, parentSpanId: step.parent ?? '', name: step.name },
  ...{ startTimeUnixNano: nanoseconds(step.from), endTimeUnixNano: nanoseconds(step.to), attributes: attributes(step) },
});

function observationOf({ kind, sent, answer, ...step }: Step) {
  const message = ({ role, text, calls, callId }: Message) => ({
    ...{ role, content: text, ...(callId ? { tool_call_id: callId } : {}) },
    tool_calls: calls.map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: argumentsOf(id) } })),
  });
  const time = (second: number) => new Date(1_772_000_000_000 + second * 1000).toISOString();
  const io =
    kind === 'model' ? { input: sent.map(message), output: answer && message(answer) } : { output: answer?.text };
  return {
    ...{ id: step.id, traceId: 't1', parentObservationId: step.parent, name: step.name },
    ...{ startTime: time(step.from), endTime: time(step.to) },
    type: { agent: 'AGENT', model: 'GENERATION', tool: 'TOOL' }[kind],
    ...(kind === 'tool' ? { input: argumentsOf(step.callId ?? '') } : {}),
    ...(kind === 'model' ? { usageDetails: { input: 7, output: 3 } } : {}),
    ...io,
  };
}

/** The same call again, as a library around the one of the provider records it. */
const wrapped = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => {
    if (step.kind !== 'model') return [step];
    const outer = { ...step, id: `f${step.id.slice(1)}`, from: step.from - 0.2, to: step.to + 0.2 };
    return [outer, { ...step, parent: outer.id }];
  });

describe('a tree of agents', () => {
  it.each([
    ['spans of GenAI', otelFormat, spanOf(genAi)],
    ['spans of OpenInference', otelFormat, spanOf(openInference)],
    ['observations of Langfuse', langfuseFormat, observationOf],
  ] as const)('as %s loses nothing, and counts nothing twice', (_, format, write) => {
    fc.assert(
      fc.property(plan, fc.boolean(), fc.infiniteStream(fc.nat()), (given, isWrapped, order) => {
        const { steps, calls, answers } = recorded(given);
        const written = (isWrapped ? wrapped(steps) : steps).map((step) => ({
          value: write(step),
          at: order.next().value ?? 0,
        }));
        const shuffled = written.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
        const [conversation, ...others] = readRecord(format, shuffled);
        expect(others).toEqual([]);
        expect(conversation?.losses).toEqual([]);
        const trace = conversation?.trace;
        expect(trace).toMatchObject({ input_tokens: 7 * answers, output_tokens: 3 * answers, turn_count: answers });
        expect(trace?.final_content).toBe(`answer ${answers}`);
        expect(trace?.messages[0]).toMatchObject({ role: 'user', content: 'the task' });
        expect(trace?.tool_calls_made).toHaveLength(calls);
        for (const call of trace?.tool_calls_made ?? []) {
          expect(call.arguments).toEqual({ of: call.id });
          expect(call.result).toMatch(/^(?:result of call_|answer )\d+$/);
          if (call.result?.startsWith('result')) expect(call.result).toBe(`result of ${call.id}`);
        }
        const names = new Set(trace?.messages.map((message) => ('agent' in message ? message.agent : null)));
        const agents = steps.filter(({ kind }) => kind === 'agent').map(({ name }) => name);
        for (const name of agents) expect(names).toContain(name);
        if (agents.length > 1) expect(conversation?.aside.agents).toHaveLength(agents.length);
        expect(trace?.messages.every(isRecord)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
