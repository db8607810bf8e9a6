import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Effect } from '../scenario/schema/tool-schema.ts';
import { once } from '../text/memo.ts';
import { sameTool } from '../trace/agent-call.ts';
import { agentTurns } from '../trace/agent-turns.ts';
import { toolsKnown, wasExecuted } from '../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../trace/trace.ts';
import { type AnswerFact, answerFacts } from './facts.ts';
import { isFarewell } from './texts/prose.ts';

/** A stored trace that passed, with what operators ask about it. */
export interface Subject {
  trace: Trace;
  /** The scenario of the case, as it is now. */
  scenario: Scenario;
  /** Other passing traces of the same case. */
  siblings: readonly Trace[];
  /** Passing answers of other cases of the run. `sameScenario`: of the same scenario. */
  otherAnswers: readonly OtherAnswer[];
  answer: string;
  /** What the user said, without what the scenario gives as history of others. */
  userTexts: readonly string[];
  systemTexts: readonly string[];
  /** False: the agent returned only a text, so that its calls are not known. */
  callsAreKnown: boolean;
  /** What the answer says that a tool or the user said before. */
  facts(): readonly AnswerFact[];
  /** Whether the calls can change what a tool says is done: read, write, or not known. */
  effectOf(call: Pick<ToolCallRecord, 'name' | 'effect'>): Effect | undefined;
  /** Positions of calls that were executed without an error. */
  done(effect: Effect): number[];
  /** Why nothing is known of the right answer if the last one is changed; null if it matters. */
  answerProblem(): string | null;
}

export interface OtherAnswer {
  answer: string;
  sameScenario: boolean;
  /** All passing trials of its case gave this answer. */
  isAgreed: boolean;
}

export function subjectOf(
  given: Pick<Subject, 'trace' | 'scenario' | 'siblings' | 'otherAnswers'> & {
    recordedScenario?: Scenario | undefined;
  },
): Subject {
  const { trace, scenario, siblings } = given;
  const textsOf = (wanted: string) =>
    trace.messages.flatMap(({ role, content }) => (role === wanted && content !== null ? [content] : []));
  const effectOf: Subject['effectOf'] = ({ name, effect }) =>
    effect ?? scenario.tools.find((tool) => sameTool(tool.name, name))?.effect;
  const userTexts = textsOf('user');
  const systemTexts = [...new Set([...textsOf('system'), ...(scenario.system_prompt ? [scenario.system_prompt] : [])])];
  const answer = trace.final_content ?? '';
  const facts = once(() => answerFacts({ trace, answer, userTexts, systemTexts, siblings }));
  const answerProblem = once(() => problemOfAnswer({ ...given, answer, userTexts, facts }));
  return {
    ...given,
    answer,
    userTexts,
    systemTexts,
    callsAreKnown: toolsKnown(trace, scenario).seen !== 'unknown',
    facts,
    effectOf,
    done: (effect) =>
      trace.tool_calls_made.flatMap((call, index) =>
        wasExecuted(call) && !call.is_error && call.result !== null && effectOf(call) === effect ? [index] : [],
      ),
    answerProblem,
  };
}

/** Names of tools with which coding agents change files. */
const CHANGES_FILES =
  /^(?:edit|edit_file|multi_?edit|notebook_?edit|write|write_file|create_file|apply_patch|str_replace\w*)$/i;

function problemOfAnswer({
  trace,
  scenario,
  recordedScenario = scenario,
  answer,
  userTexts,
  facts,
}: Parameters<typeof subjectOf>[0] & Pick<Subject, 'answer' | 'userTexts' | 'facts'>): string | null {
  if (answer.trim() === '') return 'the trace has no final answer';
  if (scenario.workspace !== undefined) return 'the result is files of a workspace';
  const end = trace.messages.findLast(({ role }) => role === 'assistant');
  if (end?.role === 'assistant' && end.tool_calls.length > 0) return 'the last message makes a call: it is no answer';
  if (trace.tool_calls_made.some(({ name }) => CHANGES_FILES.test(name))) return 'the result may be files';
  const turns = agentTurns(trace, recordedScenario);
  const last = userTexts.at(-1) ?? '';
  if (turns.length < 2 && !isFarewell(last)) return null;
  if (isFarewell(last)) return 'the last message of the user may be a farewell';
  const isTelling = facts().length > 0 || (turns.at(-1)?.calls.length ?? 0) > 0;
  return isTelling ? null : 'the last of several answers repeats nothing that a tool or the user said';
}
