import type { AssistantMessage } from './message.ts';
import type { Trace } from './trace.ts';

/** One step of the agent: one answer of a model. Figures are null where they are unknown. */
export interface TraceStep {
  /** The turn that it is, from 1. */
  turn: number;
  /** The agent that answered, if it has a name. */
  agent: string | null;
  model: string | null;
  latency_seconds: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

/**
 * The steps of a trial in order, without answers that the scenario gives. An agent that runs a whole task may tell what
 * each of its steps took. Where Salvo asked the model itself, a turn is a step.
 */
export function stepsOf(trace: Pick<Trace, 'messages' | 'turns' | 'turn_count' | 'tools_seen' | 'model'>): TraceStep[] {
  const { messages, turn_count, model } = trace;
  const answers = messages.filter((message) => message.role === 'assistant');
  const own = answers.slice(Math.max(0, answers.length - turn_count));
  const turns = turnsOfOneStep(trace);
  return own.map((answer, index) => stepOf(answer, { turn: index + 1, model, whole: turns.get(index + 1) }));
}

type TurnFigures = NonNullable<Trace['turns']>[number];

/** Turns that are one answer, of a model that Salvo asked itself: a whole agent may have asked its model more than once. */
function turnsOfOneStep({
  turns = [],
  turn_count,
  tools_seen,
}: Parameters<typeof stepsOf>[0]): Map<number, TurnFigures> {
  if (tools_seen !== 'observed') return new Map();
  const isOne = ({ turn }: TurnFigures, index: number): boolean => {
    return turn <= turn_count && (turns[index + 1]?.turn ?? turn_count + 1) - turn === 1;
  };
  return new Map(turns.filter(isOne).map((turn) => [turn.turn, turn]));
}

function stepOf(
  { agent, step }: AssistantMessage,
  { turn, model, whole }: { turn: number; model: string; whole: TurnFigures | undefined },
): TraceStep {
  return {
    turn,
    agent: agent ?? null,
    model: step?.model ?? (whole ? model : null),
    latency_seconds: step?.latency_seconds ?? whole?.latency_seconds ?? null,
    input_tokens: step?.input_tokens ?? whole?.input_tokens ?? null,
    output_tokens: step?.output_tokens ?? whole?.output_tokens ?? null,
    cost_usd: step?.cost_usd ?? whole?.cost_usd ?? null,
  };
}
