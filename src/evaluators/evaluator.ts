import type { ModelCaller } from '../models/model-caller.ts';
import type { VoteCache } from '../models/vote-cache.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Trace } from '../trace/trace.ts';

/** What an evaluator may look at beside the trace and its assertion. */
export interface EvaluationContext {
  scenario?: Scenario | undefined;
  /** Paths in an assertion are relative to the folder of this file. */
  scenarioFile?: string | undefined;
  project?: Project | undefined;
  trialNumber?: number | undefined;
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
  /** For judges: calls models under the limits of the run. */
  models?: ModelCaller | undefined;
  /** For judges: votes that were paid for before. */
  voteCache?: VoteCache | null | undefined;
}

/** An evaluator's word on one assertion; id, weight and required are added by whoever called it. */
export interface Evaluation {
  /** Null when it could not be told: the third outcome. */
  score: number | null;
  /** Follows from the score (1 passes) unless the evaluator says otherwise. */
  passed?: boolean | undefined;
  details: string;
  metadata?: Record<string, unknown> | undefined;
}

/** Turns an assertion and a trace into an evaluation. May throw: the trial is then unscored and keeps its trace. */
export type Evaluator<A extends Assertion = Assertion> = (
  assertion: A,
  trace: Trace,
  context: EvaluationContext,
) => Promise<Evaluation> | Evaluation;
