import { dirname, resolve } from 'node:path';
import type { PeoplesVerdict } from '../judge/calibration/people.ts';
import type { JudgeRequest } from '../judge/judge-trace.ts';
import type { CallBudget } from '../models/budget/budget.ts';
import type { ModelCaller } from '../models/call/model-caller.ts';
import type { VoteCache } from '../models/call/vote-cache.ts';
import type { CheckFunction, TrialContext } from '../scenario/code/scenario-definition.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { JsonChange } from '../text/json/json-changes.ts';
import type { Trace } from '../trace/trace.ts';

/** A call of a tool that an assertion names. */
export interface PlannedCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** What calls did to a fresh state document. */
export interface PlayedCalls {
  changes: JsonChange[];
  /** Calls that were answered with an error. `call` counts from 1. */
  failures: { call: number; name: string; message: string; isUnknown: boolean }[];
}

/** How the final state is known if a stored trace is judged again. */
export interface ReplayedState {
  /** Why it is not known. */
  problem?: string | undefined;
  /** What a reader should know about it. */
  note?: string | undefined;
  /** Tools that answered otherwise than in the trial. */
  tools?: string[] | undefined;
}

/** An answer of another run to the same case; or why there is none, in words that need no subject. */
export type OtherAnswer =
  | { trace: Trace; run_id: string; trial_number: number; trace_id: string | null }
  | { problem: string };

/** What an evaluator may use besides the trace and its assertion. */
export interface EvaluationContext {
  scenario?: Scenario | undefined;
  /** The scenario as it was when the trace was recorded, if it may have changed: judges see its task. */
  recordedScenario?: Scenario | undefined;
  /** Paths in an assertion are relative to the folder of this file. */
  scenarioFile?: string | undefined;
  project?: Project | undefined;
  trialNumber?: number | undefined;
  /** The functions of a scenario in code, by the id of their assertion. */
  checks?: ReadonlyMap<string, CheckFunction> | undefined;
  /** What these functions receive besides the trace; missing if a stored trace is judged again. */
  trialContext?: (Omit<TrialContext, 'signal' | 'hooks'> & { hooks?: TrialContext['hooks'] | undefined }) | undefined;
  /** For judges: the id of the stored trace. Votes are cached for this trace and trial; without it none is. */
  traceId?: string | null | undefined;
  /** For `final_state`: answers calls with the scenario's tools and a fresh state. */
  playCalls?: ((calls: readonly PlannedCall[]) => Promise<PlayedCalls>) | undefined;
  /** For `final_state`, if a stored trace is judged again. */
  replayed?: ReplayedState | undefined;
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
  /** For judges: every trial's exact score matters, because the mean has to reach a `min_score`. */
  exactScore?: boolean | undefined;
  /**
   * For judges: whether all scores in a range have the same consequences for the trial, so that no further vote is
   * needed. When missing, only the verdict has any.
   */
  isScoreSettled?: JudgeRequest['isScoreSettled'];
  /** For judges: calls models under the limits of the run. */
  models?: ModelCaller | undefined;
  /** For judges that leave doubtful trials to people: what these said of the trace for an assertion, if they have. */
  peopleOn?: ((assertionId: string) => Promise<PeoplesVerdict | null>) | undefined;
  /** The same for the assertion that is evaluated. */
  peoplesVerdict?: JudgeRequest['people'];
  /** For judges: pays for their calls. */
  budget?: CallBudget | undefined;
  /** For judges that compare two answers: that of another run, by what the assertion calls it. */
  otherAnswer?: ((run: string) => Promise<OtherAnswer>) | undefined;
  /** For judges: cached votes. */
  voteCache?: VoteCache | null | undefined;
}

/** What an evaluator returns for one assertion. `evaluateTrace` adds id, weight and required. */
export interface Evaluation {
  /** Null: could not be scored. */
  score: number | null;
  /** If not given, a score passes from `pass_at` of the assertion, which is 0.8 by default. */
  passed?: boolean | undefined;
  details: string;
  metadata?: Record<string, unknown> | undefined;
  /** Nothing happened that the assertion is about: it is not scored, and the trial is judged without it. */
  isNotApplicable?: boolean | undefined;
}

/** Evaluates an assertion on a trace. If it throws, the trial is unscored and keeps its trace. */
export type Evaluator<A extends Assertion = Assertion> = (
  assertion: A,
  trace: Trace,
  context: EvaluationContext,
) => Promise<Evaluation> | Evaluation;

/** The file that an assertion names, which is relative to the scenario's folder. */
export function resolveFile(name: string, context: Pick<EvaluationContext, 'scenarioFile' | 'project'>): string {
  const folder = context.scenarioFile === undefined ? context.project?.root : dirname(context.scenarioFile);
  return resolve(folder ?? '.', name);
}
