import { assertionIds } from '../evaluators/assertion-ids.ts';
import type { EvalResult, TrialStatus } from '../evaluators/eval-result.ts';
import { evaluateTrace, toEvalResult } from '../evaluators/evaluate-trace.ts';
import type { EvaluationContext, ReplayedState } from '../evaluators/evaluator.ts';
import { scoreTrial } from '../evaluators/scorer.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { canonicalJson } from '../text/json/canonical-json.ts';
import { sameTool } from '../trace/agent-call.ts';
import { reportedCalls } from '../trace/tools-seen.ts';
import type { Trace } from '../trace/trace.ts';
import { hasRedactedArguments, type Player, playCalls, playExpected } from '../trial/tools/play-calls.ts';
import { replayState } from '../trial/tools/replay-state.ts';
import type { ScenarioTools } from '../trial/tools/scenario-tools.ts';
import { type CallContent, contentOf, withCalls } from './edit-trace.ts';
import type { MutatedTrace } from './mutant.ts';

/** What is done with judges: left out because they need a model, asked, or the only ones that are asked. */
export type JudgeUse = 'left_out' | 'asked' | 'only';

export interface Judged {
  status: TrialStatus;
  results: EvalResult[];
}

/** A passing trace as its case judges it now. */
export interface ReplayedTrace {
  trace: Trace;
  replayed: ReplayedState | undefined;
  /** False: the state that changed calls lead to is not known. */
  canBePlayed: boolean;
}

export interface JudgedCaseOptions {
  /** Of the case, as it is now. */
  scenario: Scenario;
  tools: ScenarioTools;
  judges: JudgeUse;
  context: EvaluationContext;
}

const LEFT_OUT = 'no judge was asked';

/** The assertions of a case as they are now, applied to traces. No agent is called. */
export class JudgedCase {
  readonly scenario: Scenario;
  readonly #asked: Scenario;
  /** The assertions in their order; null where the next one of `#asked` is. */
  readonly #leftOut: (Assertion | null)[];
  readonly #options: JudgedCaseOptions;
  readonly #player: Player;

  constructor(options: JudgedCaseOptions) {
    const { scenario, tools, judges, context } = options;
    const ids = assertionIds(scenario.assertions);
    const named = scenario.assertions.map((assertion, index): Assertion => ({ ...assertion, id: ids[index] }));
    const used = judges === 'only' ? named.filter(({ type }) => type === 'judge') : named;
    const isLeftOut = ({ type }: Assertion) => judges === 'left_out' && type === 'judge';
    this.scenario = { ...scenario, assertions: used };
    this.#asked = { ...scenario, assertions: used.filter((assertion) => !isLeftOut(assertion)) };
    this.#leftOut = used.map((assertion) => (isLeftOut(assertion) ? assertion : null));
    this.#options = options;
    const { runId = '', case: name = '', row = {} } = context.trialContext ?? {};
    this.#player = { scenario, tools, context: { runId, case: name, row }, abort: context.signal };
  }

  /** Judges that are left out are unscored, so that a trial is only passed or failed if they could not change it. */
  async judge(
    trace: Trace,
    known: Pick<EvaluationContext, 'replayed' | 'traceId' | 'budget' | 'trialNumber'>,
  ): Promise<Judged> {
    const asked = await evaluateTrace({
      scenario: this.#asked,
      trace,
      context: {
        ...this.#options.context,
        scenario: this.#asked,
        ...known,
        playCalls: (calls) => playExpected(calls, this.#player),
      },
    });
    let next = 0;
    const results = this.#leftOut.flatMap((assertion) => {
      if (assertion) return [toEvalResult(assertion, assertion.id ?? 'judge', { score: null, details: LEFT_OUT })];
      next += 1;
      return asked[next - 1] ?? [];
    });
    return { status: scoreTrial(results, this.scenario.threshold).status, results };
  }

  /** The same case, without its judges. */
  withoutJudges(): JudgedCase {
    return this.#options.judges === 'left_out' ? this : new JudgedCase({ ...this.#options, judges: 'left_out' });
  }

  /** A stored trace with the state that its calls lead to today. */
  async replay(trace: Trace): Promise<ReplayedTrace> {
    if (this.scenario.state === undefined) return { trace, replayed: undefined, canBePlayed: true };
    const { trace: known, replayed } = await replayState(trace, this.#player);
    const isKnown = known.state !== undefined && known.state.reported?.agree !== 'none';
    const canBePlayed =
      isKnown &&
      replayed.problem === undefined &&
      replayed.note === undefined &&
      !trace.tool_calls_made.some(hasRedactedArguments);
    return { trace: known, replayed, canBePlayed };
  }

  /** A mutant with the answers and the state that its calls lead to. */
  async play({ trace, unplayed }: MutatedTrace): Promise<Trace> {
    const { tools } = this.scenario;
    const reported = new Set(reportedCalls(trace, tools));
    const positions = trace.tool_calls_made.flatMap((call, index) =>
      call.id !== unplayed && (call.seen === 'observed' || reported.has(call)) ? [index] : [],
    );
    const calls = positions.flatMap((index) => trace.tool_calls_made[index] ?? []);
    const planned = calls.map(({ name, arguments: args }) => ({
      name: tools.find((tool) => sameTool(tool.name, name))?.name ?? name,
      arguments: args,
    }));
    const { outcomes, state } = await playCalls(planned, this.#player);
    const contents = positions.flatMap((index, at): [number, CallContent][] => {
      const [call, outcome] = [calls[at], outcomes[at]];
      if (!call || !outcome || outcome.files) return [];
      return [[index, { ...contentOf(call), result: outcome.content, is_error: outcome.is_error }]];
    });
    return {
      ...withCalls(trace, new Map(contents)),
      state: { ...state, ...(reported.size > 0 && { reported: { agree: 'all' as const } }) },
    };
  }
}

/** Whether two traces of a case lead to the same state. */
export function isSameState(one: Trace, other: Trace): boolean {
  const changes = ({ state }: Trace) =>
    canonicalJson((state?.changes ?? []).toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  return changes(one) === changes(other);
}
