import type { Message } from '../message.ts';

type SpokenMessage = Exclude<Message, { role: 'system' }>;

/**
 * The conversation in turns of the agent and of the other side, which has the results of tools, too. APIs in which both
 * sides must alternate want all parts of one side that follow each other together.
 */
export function turnsOfSides<Part>(
  messages: readonly Message[],
  partsOf: (message: SpokenMessage) => Part[],
): { isAgent: boolean; parts: Part[] }[] {
  const turns: { isAgent: boolean; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const isAgent = message.role === 'assistant';
    const parts = partsOf(message);
    const last = turns.at(-1);
    if (last?.isAgent === isAgent) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ isAgent, parts });
  }
  return turns;
}
