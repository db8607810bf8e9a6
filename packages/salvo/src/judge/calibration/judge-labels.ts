import { newNonce } from '../../models/ask/fence.ts';
import type { CallBudget } from '../../models/budget/budget.ts';
import { withBudget } from '../../models/call/model-caller.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import { type JudgingOptions, judgeItems } from '../judge-items.ts';
import { type JudgeRequest, type JudgeTraceOptions, judgeTrace } from '../judge-trace.ts';
import { withoutTask } from '../prompt/judged-task.ts';
import type { CalibrationItem } from './calibration.ts';
import type { Drawn } from './human-label.ts';

/** A trace with what people say of it. `readLabels` reads them from a file. */
export interface LabelledTrace extends Pick<CalibrationItem, 'labels' | 'passed' | 'scenario' | 'case' | 'weight'> {
  trace: Trace;
  /** The rubric of this item, when it has its own. */
  criteria?: JudgeTraceOptions['criteria'] | null | undefined;
  /** How it was drawn, from which its weight follows; missing if a person chose it. */
  drawn?: Drawn | undefined;
  /** Of the label in its file; its position, from 1, when missing. */
  line?: number | undefined;
}

export type NumberedItem = LabelledTrace & { line: number };

/** Asks one judge about labelled traces. A judge that is asked about the same labels again finds its cached votes. */
export function judgeLabels(
  items: readonly NumberedItem[],
  defaults: Omit<JudgeRequest, 'trace'>,
  { repeats = 1, seed = 0, ...options }: JudgingOptions & { repeats?: number | undefined; seed?: number | undefined },
): ReturnType<typeof judgeItems<NumberedItem>> {
  const judgeItem = (item: NumberedItem, budget: CallBudget) =>
    Promise.all(
      Array.from({ length: repeats }, (_, repeat) =>
        judgeTrace({
          ...{ ...defaults, newNonce: () => nonceOf(item) },
          models: withBudget(defaults.models, budget),
          trace: item.trace,
          scenario: scenarioFor(item, defaults.scenario),
          criteria: item.criteria ?? defaults.criteria,
          subject: `label ${item.line}, repeat ${repeat}`,
          // All votes are wanted: they tell how far the judge agrees with itself.
          earlyStop: false,
          seed: seed + repeat,
          trialNumber: item.line,
          signal: options.abort,
        }),
      ),
    );
  return judgeItems(items, {
    ...options,
    judge: judgeItem,
    nameOf: ({ line }) => `line ${line}`,
    passedOf: (_, { passed }) => passed,
  });
}

/**
 * The same label is shown in the same words each time, so that votes on it can be compared with earlier ones. Nobody can
 * write a trace that contains a hash of itself.
 */
function nonceOf({ trace }: LabelledTrace): string {
  return newNonce(seededRandom('label', contentHash([trace.messages, trace.tool_calls_made, trace.final_content])));
}

type Scenario = JudgeTraceOptions['scenario'];

/** Most items have a task of their own, whatever the scenario's is. */
function scenarioFor({ trace }: LabelledTrace, scenario: Scenario): Scenario {
  return scenario && trace.messages.some(({ role }) => role === 'user') ? withoutTask(scenario) : scenario;
}

/** The same for equal answers; null if the trace does not say. An equal response after other tool calls is another one. */
export function answerOf(trace: Trace): string | null {
  if (isMetadataOnly(trace)) return null;
  const calls = trace.tool_calls_made.map((call) => [call.name, call.arguments, call.result]);
  return contentHash([trace.final_content, calls]);
}

export function taskOf({ messages }: Trace): string | null | undefined {
  return messages.find(({ role }) => role === 'user')?.content;
}
