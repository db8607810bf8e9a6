import { expect, it } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../scenario/schema/assertion-schema.ts';
import type { ConversationEnd } from '../../trace/simulated-user.ts';
import { evaluateConversationEnded } from './conversation-ended.ts';

const evaluate = (fields: object, end: ConversationEnd | undefined) =>
  evaluateConversationEnded(
    ASSERTION_SCHEMAS.conversation_ended.parse({ type: 'conversation_ended', ...fields }),
    sampleTrace(end && { conversation_end: end }),
    {},
  );

const AT_LIMIT: ConversationEnd = { by: 'limit', limit: 'max_turns', messages: 4 };

it.each<[object, ConversationEnd, number, string]>([
  [{}, { by: 'user', messages: 3 }, 1, 'the user ended the conversation after 3 messages of the user'],
  [{}, { by: 'script', messages: 1 }, 1, 'the script of the user ended after one message of the user'],
  [{}, AT_LIMIT, 0, 'max_turns was reached after 4 messages of the user, expected an end by the user'],
  [{ by: 'limit' }, AT_LIMIT, 1, 'max_turns was reached after 4 messages of the user'],
  [
    { by: 'user' },
    { by: 'script', messages: 2 },
    0,
    'the script of the user ended after 2 messages of the user, expected an end by user',
  ],
  [{ max_messages: 3 }, { by: 'user', messages: 3 }, 1, 'the user ended the conversation after 3 messages of the user'],
  [
    { max_messages: 2 },
    { by: 'user', messages: 3 },
    0,
    'the user ended the conversation after 3 messages of the user, expected at most 2 messages',
  ],
])('%j on an end %j scores %i', async (fields, end, score, details) => {
  expect(await evaluate(fields, end)).toEqual({ score, details });
});

it('is not scored if nothing says how the conversation ended', async () => {
  expect(await evaluate({}, undefined)).toMatchObject({ score: null });
});
