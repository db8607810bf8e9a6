import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Message } from '../trace/message.ts';

/**
 * The conversation in pieces, each ending with a user message the agent has to answer before the next piece is sent.
 * A user message that an assistant message follows is history: that turn has been answered already.
 */
export function conversationPlan(scenario: Pick<Scenario, 'system_prompt' | 'prompt' | 'messages'>): Message[][] {
  const pieces: Message[][] = [];
  let piece: Message[] = [];
  if (scenario.system_prompt !== undefined) piece.push({ role: 'system', content: scenario.system_prompt });
  const messages: Message[] = scenario.messages ?? [{ role: 'user', content: scenario.prompt ?? '' }];
  for (const [index, message] of messages.entries()) {
    piece.push(message);
    const next = messages[index + 1];
    if (message.role === 'user' && (next === undefined || next.role === 'user')) {
      pieces.push(piece);
      piece = [];
    }
  }
  return pieces;
}
