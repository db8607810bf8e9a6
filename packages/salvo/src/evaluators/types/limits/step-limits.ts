import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { stepsOf, type TraceStep } from '../../../trace/steps-of.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { TOLERANCE } from './limits.ts';

/** Passes if no step of a model took longer than `max_seconds`. Not scored if the time of a step is unknown. */
export const evaluateStepLatency: Evaluator<AssertionOf<'step_latency'>> = ({ max_seconds, ...which }, trace) =>
  evaluateSteps(trace, which, {
    figure: 'latency_seconds',
    limit: max_seconds,
    tolerated: max_seconds,
    verb: 'took',
    unit: 's',
    whyUnknown: 'neither the agent nor a recorded trace tells how long each of its steps took',
  });

/** Passes if no step of a model cost more than `max_usd`. Not scored if the cost of a step is unknown. */
export const evaluateStepCost: Evaluator<AssertionOf<'step_cost'>> = ({ max_usd, ...which }, trace) =>
  evaluateSteps(trace, which, {
    figure: 'cost_usd',
    limit: max_usd,
    tolerated: max_usd * (1 + TOLERANCE),
    verb: 'cost',
    unit: 'USD',
    whyUnknown:
      'the agent does not tell the tokens and the model of each step, or the model has no price in salvo.yaml',
  });

type Which = Pick<AssertionOf<'step_latency'>, 'step' | 'agent'>;

interface StepLimit {
  figure: 'latency_seconds' | 'cost_usd';
  limit: number;
  /** The limit with what rounding may add to it. */
  tolerated: number;
  verb: string;
  unit: string;
  whyUnknown: string;
}

function evaluateSteps(trace: Trace, which: Which, by: StepLimit): Evaluation {
  const all = stepsOf(trace);
  const allowed = `at most ${by.limit} ${by.unit} allowed`;
  if (all.length === 0) return { score: null, details: 'the agent made no step' };
  if (which.agent !== undefined && all.every(({ agent }) => agent === null)) {
    return { score: null, details: `no step says which agent it is of, so those of "${which.agent}" are unknown` };
  }
  const steps = all.filter((step) => isMeant(step, which, all.length));
  if (steps.length === 0) return { score: 1, details: `there is no such step: ${describeAll(all)}` };
  const known = steps.flatMap((step) => {
    const value = step[by.figure];
    return value === null ? [] : [{ step, value }];
  });
  const [first, ...others] = known;
  const worst = others.reduce((most, each) => (most && each.value <= most.value ? most : each), first);
  const said = worst && `${nameOf(worst.step)} ${by.verb} ${Number(worst.value.toPrecision(6))} ${by.unit}`;
  if (worst && worst.value > by.tolerated) return { score: 0, details: `${said}, ${allowed}` };
  if (known.length < steps.length) {
    const count = `${steps.length - known.length} of ${steps.length} steps`;
    return { score: null, details: `unknown for ${count}, so it cannot be compared: ${by.whyUnknown}` };
  }
  const most = steps.length === 1 ? said : `the most of ${steps.length} steps: ${said}`;
  return { score: 1, details: `${most}, ${allowed}` };
}

function isMeant({ turn, agent }: TraceStep, which: Which, count: number): boolean {
  const wanted = which.step === 'last' ? count : which.step === 'first' ? 1 : which.step;
  return (wanted === undefined || turn === wanted) && (which.agent === undefined || agent === which.agent);
}

function nameOf({ turn, agent }: TraceStep): string {
  return agent === null ? `step ${turn}` : `step ${turn} of ${quoteOutput(agent, { length: 60 })}`;
}

function describeAll(steps: readonly TraceStep[]): string {
  const agents = [...new Set(steps.flatMap(({ agent }) => agent ?? []))].map((name) =>
    quoteOutput(name, { length: 60 }),
  );
  const count = steps.length === 1 ? 'there is 1 step' : `there are ${steps.length} steps`;
  return agents.length === 0 ? count : `${count}, of ${agents.join(', ')}`;
}
