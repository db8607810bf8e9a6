import { tmpdir } from 'node:os';
import { NO_LIMIT } from '../packages/salvo/src/models/budget/budget.ts';
import { JudgedCase } from '../packages/salvo/src/mutate/judged-case.ts';
import type { Original } from '../packages/salvo/src/mutate/originals.ts';
import { subjectOf } from '../packages/salvo/src/mutate/subject.ts';
import { tryMutants } from '../packages/salvo/src/mutate/try-mutants.ts';
import { projectFromObject, scenarioFromObject } from '../packages/salvo/src/scenario/scenario-object.ts';
import { foreignTrace } from '../packages/salvo/src/trace/foreign-trace.ts';
import type { Message } from '../packages/salvo/src/trace/message.ts';
import type { Trace } from '../packages/salvo/src/trace/trace.ts';
import { toolsByCase } from '../packages/salvo/src/trial/tools/scenario-tools.ts';

const MUTANTS = 10_000;
const TRACES = 700;
const LOOKUPS = 8;
const AIM_SECONDS = 10;

/** 10,000 mutants of traces with 20 messages, against the same assertions on the originals as often. */
export async function benchMutate(): Promise<string[]> {
  const originals = await Promise.all(Array.from({ length: TRACES }, (_, index) => originalOf(index)));
  const evaluated = performance.now();
  for (let count = 0; count < MUTANTS; count += 1) {
    const { judged, trace } = originals[count % TRACES] ?? (originals[0] as Original);
    const { status } = await judged.judge(trace, {});
    if (status !== 'passed') throw new Error(`an original is ${status}`);
  }
  const baseline = (performance.now() - evaluated) / 1000;
  const begun = performance.now();
  const tried = await tryMutants(originals, {
    ...{ seed: 1, most: MUTANTS, concurrency: 4, budget: NO_LIMIT, asksJudges: false },
  });
  const seconds = (performance.now() - begun) / 1000;
  const made = tried.mutants.length;
  return [
    `${made} mutants of traces with ${originals[0]?.trace.messages.length} messages ${seconds.toFixed(2)} s (aim: ${AIM_SECONDS} s for ${MUTANTS})`,
    `the originals evaluated ${MUTANTS} times ${baseline.toFixed(2)} s: ${(seconds / baseline).toFixed(1)}x`,
  ];
}

async function originalOf(index: number): Promise<Original> {
  const id = `A-${10_000 + index}`;
  const project = projectFromObject({ default_adapter: 'scripted' }, tmpdir());
  const loaded = scenarioFromObject(
    {
      prompt: `Please refund my order ${id} to the card that I paid with.`,
      script: [{ content: 'Done.' }],
      tools: [
        { name: 'lookup', effect: 'read' },
        { name: 'refund', effect: 'write' },
        { name: 'email', effect: 'write' },
      ],
      assertions: [
        { type: 'tool_called', tool: 'refund', arguments: { order_id: id }, times: 1 },
        { type: 'tool_sequence', sequence: ['lookup', 'refund'] },
        { type: 'output_contains', value: id },
        { type: 'output_matches', pattern: '49[.,]90?' },
        { type: 'jmespath', expression: 'length(tool_calls[?is_error])', operator: 'eq', value: 0 },
      ],
    },
    { project },
  );
  const { scenario, file } = loaded;
  const tools = (await toolsByCase(loaded))(scenario);
  const judged = new JudgedCase({ scenario, tools, judges: 'left_out', context: { project, scenarioFile: file } });
  const trace = traceOf(id);
  return {
    ...{ scenario: index, name: `refund ${index}`, file, case: null, row: null, trialNumber: 1, trace, judged },
    ...{ replayed: undefined, canBePlayed: true, ignored: new Set() },
    subject: subjectOf({ trace, scenario: judged.scenario, siblings: [], otherAnswers: [] }),
  };
}

/** A conversation of 20 messages: lookups, a refund and an answer. */
function traceOf(id: string): Trace {
  const messages: Message[] = [
    { role: 'system', content: 'You are the desk of a shop. Look an order up before you refund it.' },
    { role: 'user', content: `Please refund my order ${id} to the card that I paid with.` },
  ];
  const call = (at: number, name: string, args: Record<string, unknown>, result: unknown): void => {
    messages.push(
      { role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, name, arguments: args }] },
      { role: 'tool_result', tool_call_id: `c${at}`, name, content: JSON.stringify(result), is_error: false },
    );
  };
  for (let at = 1; at < LOOKUPS; at += 1) {
    call(
      at,
      'lookup',
      { order_id: id, part: at },
      { item: `part ${at}`, paid: 49.9, card: `C-${at}77`, status: 'delivered' },
    );
  }
  call(LOOKUPS, 'refund', { order_id: id, card: 'C-177', amount: 49.9 }, { refund_id: 'R-7751', day: '2026-05-20' });
  messages.push({ role: 'user', content: 'When does it arrive, and on which card?' });
  messages.push({
    role: 'assistant',
    content: `The 49.90 for your order ${id} arrive on 2026-05-20. The number of the refund is R-7751. It goes to the card C-177.`,
    tool_calls: [],
  });
  return foreignTrace(messages, {});
}
