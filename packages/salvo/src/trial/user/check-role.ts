import type { ScenarioUser } from '../../scenario/schema/scenario-schema.ts';
import type { RoleBreak } from '../../trace/trace.ts';
import { notTheUser } from './agent-speech.ts';
import { knownText } from './known-text.ts';
import { unknownFact } from './unknown-fact.ts';
import { factsText, type SaidText } from './user-prompt.ts';

/** A message of a simulated user, in its conversation. */
interface CheckedMessage {
  /** Without what ends the conversation. */
  text: string;
  /** It ends the conversation. */
  isDone: boolean;
  /** What was said before. */
  said: readonly SaidText[];
}

/** Of a message of a user, so that it is checked in milliseconds. */
export const LONGEST_MESSAGE = 20_000;

/** Reads each message of a simulated user without a model. Null if it keeps its role. */
export function createRoleCheck(
  user: Pick<ScenarioUser, 'goal' | 'facts' | 'persona'> & { prompt: string },
): (message: CheckedMessage) => Omit<RoleBreak, 'message'> | null {
  const given = [user.goal ?? '', factsText(user.facts), user.persona ?? '', user.prompt];
  return ({ text, isDone, said }) => {
    const message = text.slice(0, LONGEST_MESSAGE);
    const answer = said.findLast(({ by }) => by === 'agent')?.text ?? '';
    const early = isDone ? endedEarly(message, said) : null;
    if (early !== null) return { kind: 'ended_early', why: early };
    const speech = notTheUser(message, answer);
    if (speech !== null) return { kind: 'agent_role', why: speech };
    const fact = unknownFact(message, knownText([...given, ...said.map((each) => each.text)]), answer);
    return fact === null ? null : { kind: 'unknown_fact', why: `said "${fact}", which it cannot know` };
  };
}

const ASKS_OR_AGREES =
  /\?|^\W*(?:yes|yeah|yep|sure|go ahead|please (?:do|go|proceed|cancel|book|change|confirm)|i confirm|confirmed)\b/i;
const FAREWELL =
  /\b(?:thanks|thank you|that's all|that is all|that's it|nothing else|all set|bye|goodbye|have a (?:good|nice|great)|appreciate|no more)\b/i;

/** Words that follow "it"; null if the conversation may end here. */
function endedEarly(text: string, said: readonly SaidText[]): string | null {
  if (!said.some(({ by }) => by === 'agent')) return 'ended the conversation before the agent answered';
  const isOpen = ASKS_OR_AGREES.test(text) && !FAREWELL.test(text);
  return isOpen ? 'ended the conversation with something that the agent still had to answer' : null;
}
