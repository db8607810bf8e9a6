import type { Turn } from '../../../scenario/schema/shared-fields.ts';
import { formatCount } from '../../../stats/format.ts';
import { type AgentTurn, agentTurns, traceOf } from '../../../trace/agent-turns.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Evaluation, EvaluationContext } from '../../evaluator.ts';
import { NO_ANSWER } from '../../show-value.ts';

type TurnContext = Pick<EvaluationContext, 'scenario' | 'recordedScenario'>;

/** Evaluates what the agent answered in other turns than the last. */
export async function evaluateTurns(
  turn: Exclude<Turn, 'last'>,
  { trace, context }: { trace: Trace; context: EvaluationContext },
  evaluate: (trace: Trace) => Promise<Evaluation> | Evaluation,
): Promise<Evaluation> {
  const turns = turnsOf(trace, context);
  const evaluated = async (each: AgentTurn, index: number): Promise<Evaluation> => {
    const evaluation = await evaluate(traceOf(trace, turns, each));
    return { ...evaluation, details: `turn ${index + 1}: ${evaluation.details}` };
  };
  if (typeof turn !== 'number') return joined(await Promise.all(turns.map(evaluated)), turn);
  const meant = turns[turn - 1];
  return meant ? evaluated(meant, turn - 1) : missingTurn(turn, turns.length);
}

/** The turns of a trial, by the scenario that it was recorded with. */
export function turnsOf(trace: Trace, { scenario, recordedScenario = scenario }: TurnContext): AgentTurn[] {
  return agentTurns(trace, recordedScenario);
}

/** An agent that did not answer so often has not shown what the assertion demands. */
export function missingTurn(turn: number, turns: number): Evaluation {
  const answers = turns === 0 ? 'no answer' : turns === 1 ? 'one answer' : `${formatCount(turns)} answers`;
  return { score: 0, passed: false, details: `there is no turn ${turn}: the agent gave ${answers}` };
}

/** The best of the evaluations with `any`, the worst with `every`. What could not be scored decides only if it could matter. */
function joined(evaluations: readonly Evaluation[], turn: 'any' | 'every'): Evaluation {
  const [first, ...others] = evaluations;
  if (!first) return NO_ANSWER;
  const ranked = turn === 'any' ? (each: Evaluation) => -rank(each) : rank;
  const decisive = others.reduce((best, each) => (ranked(each) < ranked(best) ? each : best), first);
  const isExample = others.length > 0 && hasPassed(decisive) === (turn === 'every');
  const all = turn === 'every' ? `all ${evaluations.length} turns; ` : `none of ${evaluations.length} turns; `;
  return isExample && decisive.score !== null ? { ...decisive, details: `${all}${decisive.details}` } : decisive;
}

/** From failed to passed, with what could not be scored in between. */
function rank(evaluation: Evaluation): number {
  if (evaluation.score === null) return 1;
  return hasPassed(evaluation) ? 1 + evaluation.score : evaluation.score - 1;
}

function hasPassed({ score, passed }: Evaluation): boolean {
  return passed ?? score === 1;
}
