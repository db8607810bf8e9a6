import type { Assertion } from '../../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../../scenario/schema/scenario-schema.ts';
import { type KnownTools, toolsKnown } from '../../../trace/tools-seen.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';

/** What to do about calls that nobody saw. */
const DECLARE_TOOLS =
  'Return the messages of the agent, or call its tools with callTool; or, if what Salvo sees is all that it calls, add to the scenario: tools_seen: all';

/**
 * An evaluator of tool calls, for traces in which not all of them were seen: what was not seen is not scored. `stands`:
 * whether an evaluation holds, whatever else was called.
 */
export function onSeenTools<A extends Assertion>(
  evaluate: (assertion: A, trace: Trace) => Evaluation,
  stands: (assertion: A, evaluation: Evaluation) => boolean,
): (...given: Parameters<Evaluator<A>>) => Evaluation {
  return (assertion, trace, context) => {
    const known = toolsKnown(trace, context.scenario);
    if (known.seen === 'unknown') return unseenTools(known);
    const evaluation = evaluate(assertion, trace);
    if (known.agents.length > 0 && !stands(assertion, evaluation)) return unseenTools(known);
    return known.declared ? asDeclared(evaluation) : evaluation;
  };
}

/** The evaluation of a function that may read the calls of a trace: not scored if it read what was not seen. */
export async function onReadTools(
  { trace, scenario }: { trace: Trace; scenario: Scenario | undefined },
  evaluate: (trace: Trace) => Promise<Evaluation>,
): Promise<Evaluation> {
  const known = toolsKnown(trace, scenario);
  const read: ReadCalls = { calls: trace.tool_calls_made, hasRead: false };
  const properties = { [READ]: { value: read }, tool_calls_made: NOTED_WHEN_READ };
  const evaluation = await evaluate(Object.defineProperties(trace, properties));
  if (!read.hasRead) return evaluation;
  if (known.seen === 'unknown' || known.agents.length > 0) return unseenTools(known);
  return known.declared ? asDeclared(evaluation) : evaluation;
}

interface ReadCalls {
  calls: Trace['tool_calls_made'];
  hasRead: boolean;
}

const READ = Symbol('what was read of a trace');
/** One getter for all traces: V8 keeps each getter, with all that it refers to, until a full garbage collection. */
const NOTED_WHEN_READ: PropertyDescriptor & ThisType<{ [READ]: ReadCalls }> = {
  enumerable: true,
  configurable: true,
  get() {
    this[READ].hasRead = true;
    return this[READ].calls;
  },
};

/** An assertion on tool calls that were not seen. `about` is what it demands, if its name does not say it. */
export function unseenTools({ agents, problem }: Pick<KnownTools, 'agents' | 'problem'>, about = ''): Evaluation {
  if (problem !== null) {
    return {
      score: null,
      details: `${about}the agent was not observed: ${problem}`,
      metadata: { tools_unseen: true, not_observed: problem },
    };
  }
  const what =
    agents.length > 0
      ? `calls inside of ${agents.map((name) => `"${name}"`).join(', ')}, which is an agent, were not seen`
      : 'the agent returned only a text, so its tool calls are not known';
  return { score: null, details: `${about}${what}. ${DECLARE_TOOLS}`, metadata: { tools_unseen: true } };
}

/** Marks what holds only if the user's declaration is true. */
export function asDeclared(evaluation: Evaluation): Evaluation {
  return {
    ...evaluation,
    details: `${evaluation.details} (declared by tools_seen: all, not seen)`,
    metadata: { ...evaluation.metadata, tools_declared: true },
  };
}
