import { createFence } from '../../models/ask/fence.ts';
import { fillTemplate } from '../../models/ask/prompts.ts';
import type { ScenarioUser } from '../../scenario/schema/user-schema.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import type { Message } from '../../trace/message.ts';

/** What was said in a conversation, without calls of tools and their results. */
export interface SaidText {
  by: 'user' | 'agent';
  text: string;
}

type PlayedUser = Pick<ScenarioUser, 'goal' | 'facts' | 'persona' | 'stop'>;

const template = once(() => dataFile(import.meta.url, './user-system.md').trim());

const FIRST = 'The agent waits for you. Write your first message.';
const NO_TEXT = '(The agent answered without a text.)';

/** The request for the next message of the user. To the model the agent is the user, and its own messages are the assistant's. */
export function userMessages(user: PlayedUser, said: readonly SaidText[], nonce: string): Message[] {
  const fence = createFence(nonce);
  const turns: Message[] = said.map(({ by, text }) =>
    by === 'user'
      ? { role: 'assistant', content: text, tool_calls: [] }
      : { role: 'user', content: fence.wrap('agent', text) },
  );
  if (said.length === 0) turns.push({ role: 'user', content: FIRST });
  else if (said.at(-1)?.by === 'user') turns.push({ role: 'user', content: NO_TEXT });
  // Providers want the first message to be a user's.
  else if (said[0]?.by === 'user') turns.unshift({ role: 'user', content: FIRST });
  return [{ role: 'system', content: systemText(user, nonce) }, ...turns];
}

function systemText({ goal = '', facts, persona, stop }: PlayedUser, nonce: string): string {
  return fillTemplate(template(), {
    goal,
    facts: factsText(facts) || 'Nothing else.',
    persona: persona === undefined ? '' : `\n## How you talk\n${persona}\n`,
    stop,
    nonce,
  });
}

/** One line for each fact. */
export function factsText(facts: ScenarioUser['facts']): string {
  if (Array.isArray(facts)) return facts.map((fact) => `- ${fact}`).join('\n');
  return Object.entries(facts ?? {})
    .map(([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Identifies what the model is told to play: the same for equal users, and another when Salvo's own instructions change. */
export function userPromptHash({ goal, facts, persona, stop }: PlayedUser): string {
  return contentHash({ template: template(), goal, facts, persona, stop }).slice(0, 12);
}

/** The texts of a conversation as a user sees them. Messages of one side that follow each other are one. */
export function textsOf(messages: readonly Message[]): SaidText[] {
  const said: SaidText[] = [];
  for (const { role, content } of messages) {
    if ((role !== 'user' && role !== 'assistant') || !content?.trim()) continue;
    const by = role === 'user' ? 'user' : 'agent';
    const last = said.at(-1);
    if (last?.by === by) last.text += `\n\n${content}`;
    else said.push({ by, text: content });
  }
  return said;
}
