import type { Trace } from '../../trace/trace.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import type { Scenario } from '../schema/scenario-schema.ts';

/** A trace that becomes a scenario, with what is known of it. */
export interface SourceTrace {
  trace: Trace;
  /** The scenario of its case, as it was when it was recorded; null for a conversation from elsewhere. */
  scenario: Scenario | null;
  /** Where it comes from, for people: `trial 3 of refund in run k7`, or the name of a file. */
  origin: string;
  /** What the scenario is called if nobody says it. */
  name: string;
  /** Assertions of its scenario that it failed. */
  failed: readonly Assertion[];
}

/** An assertion that a scenario may get, and why, as a short sentence for people. */
export interface Proposal {
  assertion: Record<string, unknown>;
  why: string;
}

/** An assertion of the scenario, and what is known of it: the traces pass it or fail it, or nobody has tried it. */
export interface ChosenAssertion extends Proposal {
  verdict: 'passed' | 'failed' | 'not tried';
}
