import { promptsIn } from '../../models/ask/prompts.ts';
import type { Turn } from '../../scenario/schema/shared-fields.ts';
import { dataFolder } from '../../text/modules/data-file.ts';
import { agentTurns, traceUpTo } from '../../trace/agent-turns.ts';
import { askedMessages } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';

/** What a judge sees of a trial, by the turn that it judges. */
interface JudgedTurn {
  trace: Trace;
  scenario: JudgedScenario | undefined;
  /** Tells the judge which answers it judges; null for the last one. */
  note: string | null;
  /** These answers; null for the last one. */
  answers: TurnAnswer[] | null;
}

export interface TurnAnswer {
  turn: number;
  text: string | null;
}

const promptOf = promptsIn<'one' | 'every' | 'any'>(() => dataFolder(import.meta.url, './turns'));

/** Of one turn, the judge sees the trial as it was when that turn ended. */
export function judgedTurn(trace: Trace, scenario: JudgedScenario | undefined, turn: Turn = 'last'): JudgedTurn {
  if (turn === 'last') return { trace, scenario, note: null, answers: null };
  const turns = agentTurns(trace, scenario);
  if (typeof turn !== 'number') {
    const answers = turns.map(({ answer }, index) => ({ turn: index + 1, text: answer }));
    return { trace, scenario, note: promptOf(turn, { turns: String(turns.length) }), answers };
  }
  const meant = turns[turn - 1];
  return {
    trace: meant ? traceUpTo(trace, turns, meant) : trace,
    scenario: scenario?.messages ? { ...scenario, messages: messagesUntil(scenario.messages, turn) } : scenario,
    note: promptOf('one', { turn: String(turn) }),
    answers: [{ turn, text: meant?.answer ?? null }],
  };
}

/** The messages of a scenario up to the one that the agent answers in a turn. */
function messagesUntil(messages: NonNullable<JudgedScenario['messages']>, turn: number) {
  const asked = askedMessages(messages)[turn - 1];
  return asked === undefined ? messages : messages.slice(0, asked + 1);
}
