import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { ConversationEnd } from '../../trace/simulated-user.ts';
import type { Evaluator } from '../evaluator.ts';

/** Passes if the conversation with a simulated user ended as demanded, within as many messages of the user. */
export const evaluateConversationEnded: Evaluator<AssertionOf<'conversation_ended'>> = (assertion, trace) => {
  const { by, max_messages: most = Number.POSITIVE_INFINITY } = assertion;
  const end = trace.conversation_end;
  if (!end) return { score: null, details: NO_END };
  const messages = end.messages === 1 ? 'one message' : `${end.messages} messages`;
  const ended = `${endedBy(end)} after ${messages} of the user`;
  const isRight = by === undefined ? end.by !== 'limit' : end.by === by;
  if (isRight && end.messages <= most) return { score: 1, details: ended };
  const wanted = isRight ? `at most ${most} messages` : `an end by ${by ?? 'the user'}`;
  return { score: 0, details: `${ended}, expected ${wanted}` };
};

const NO_END =
  'it is not known how the conversation ended: the scenario has no simulated user (user:), or something else ended the trial';

function endedBy({ by, limit }: ConversationEnd): string {
  if (by === 'user') return 'the user ended the conversation';
  if (by === 'script') return 'the script of the user ended';
  return `${limit ?? 'a limit'} was reached`;
}
