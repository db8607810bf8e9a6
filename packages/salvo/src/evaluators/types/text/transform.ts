import type { Turn } from '../../../scenario/schema/shared-fields.ts';
import type { Transform } from '../../../scenario/schema/text-assertions.ts';
import { compileExpression } from '../../../text/json/expression.ts';
import { isNestedTooDeeply } from '../../../text/json/nesting.ts';
import { importFunction } from '../../../text/modules/import-function.ts';
import { traceOf } from '../../../trace/agent-turns.ts';
import type { Trace } from '../../../trace/trace.ts';
import { type Evaluation, type EvaluationContext, resolveFile } from '../../evaluator.ts';
import { showValue } from '../../show-value.ts';
import { callUserCheck } from '../../user-check.ts';
import { answerAsJson } from './answer-json.ts';
import { turnsOf } from './on-turn.ts';

type TransformFunction = (output: string, context: { trace: Trace; row: Record<string, unknown> }) => unknown;

/** Evaluates the trace as if the agent had answered what `transform` makes of its answer. */
export async function evaluateTransformed(
  transform: Transform,
  { trace, context }: { trace: Trace; context: EvaluationContext },
  evaluate: (trace: Trace) => Promise<Evaluation> | Evaluation,
): Promise<Evaluation> {
  const { final_content: answer } = trace;
  if (answer === null || answer.trim() === '') return evaluate(trace);
  const content = await transformed(transform, answer, { trace, context });
  if (content === null) return { score: 0, passed: false, details: `transform gave nothing for ${showValue(answer)}` };
  const { details, ...evaluation } = await evaluate(
    withAnswers(trace, new Map([[answerIndex(trace), content]]), content),
  );
  return { ...evaluation, details: `after transform: ${details}` };
}

/** The same for the answers of a conversation that a judge is asked about. An answer of which nothing is left is empty. */
export async function withTransform(
  transform: Transform,
  { trace, context, turn = 'last' }: { trace: Trace; context: EvaluationContext; turn?: Turn | undefined },
): Promise<Trace> {
  const turns = turnsOf(trace, context);
  const meant = turn === 'last' ? turns.slice(-1) : typeof turn === 'number' ? turns.slice(turn - 1, turn) : turns;
  const changed = new Map<number, string>();
  let last = trace.final_content;
  for (const each of meant) {
    if (each.answer === null || each.answer.trim() === '') continue;
    const own = traceOf(trace, turns, each);
    const content = (await transformed(transform, each.answer, { trace: own, context })) ?? '';
    changed.set(each.start + answerIndex(own), content);
    if (each === turns.at(-1)) last = content;
  }
  return withAnswers(trace, changed, last);
}

/** The position of the message that is the final answer; -1 if there is none. */
function answerIndex({ messages, final_content }: Trace): number {
  return messages.findLastIndex(({ role, content }) => role === 'assistant' && content === final_content);
}

function withAnswers(trace: Trace, changed: ReadonlyMap<number, string>, last: string | null): Trace {
  const messages = trace.messages.map((message, index) => {
    const content = changed.get(index);
    return content === undefined || message.role !== 'assistant' ? message : { ...message, content };
  });
  return { ...trace, messages, final_content: last };
}

/** What is no text is written as JSON. Null if nothing is left. Throws if a function of the user fails or does not end. */
async function transformed(
  transform: Transform,
  answer: string,
  { trace, context }: { trace: Trace; context: EvaluationContext },
): Promise<string | null> {
  const value = await changedValue(transform, answer, { trace, context });
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null);
}

async function changedValue(
  transform: Transform,
  answer: string,
  { trace, context }: { trace: Trace; context: EvaluationContext },
): Promise<unknown> {
  if (typeof transform === 'string') {
    const parsed = answerAsJson(answer);
    // What is nested that deeply is no JSON that anybody asked for, and would exhaust the stack.
    const isJson = 'value' in parsed && !isNestedTooDeeply(parsed.value);
    return compileExpression(transform)(isJson ? parsed.value : answer);
  }
  if ('javascript' in transform) {
    const { callInline } = await import('../code/javascript.ts');
    return (await callInline(transform.javascript, { trace, context })).value;
  }
  const change = await importFunction<TransformFunction>(
    resolveFile(transform.module, context),
    transform.function ?? 'default',
  );
  return callUserCheck({ trace, context, name: transform.module }, (copy, { trialContext }) =>
    change(answer, { trace: copy, row: trialContext?.row ?? {} }),
  );
}
