import type { Conversation, ToolDefinition } from '../../adapters/adapter.ts';
import { type AskedModel, askAndRepair, type Reading } from '../../models/ask/ask-and-repair.ts';
import { createFence } from '../../models/ask/fence.ts';
import { fillTemplate } from '../../models/ask/prompts.ts';
import type { ScenarioUser } from '../../scenario/schema/user-schema.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import type { RoleBreak } from '../../trace/simulated-user.ts';
import { factsText, type SaidText } from './user-prompt.ts';

interface RoleQuestion extends Omit<AskedModel, 'temperature' | 'maxTokens'> {
  user: Pick<ScenarioUser, 'goal' | 'facts' | 'persona'>;
  text: string;
  said: readonly SaidText[];
  nonce: string;
  conversation: Conversation;
}

const TOOL: ToolDefinition = {
  name: 'report_role',
  description: 'Says whether the last message is one that the user could have written.',
  parameters: {
    type: 'object',
    properties: {
      kept: { type: 'boolean', description: 'Whether the message keeps the role of the user.' },
      why: { type: 'string', description: 'If not: what is wrong with it, in one sentence.' },
    },
    required: ['kept', 'why'],
  },
};

const LONGEST_REASON = 300;

/** Asks a model about a message that the rules found nothing in. Throws if it gives no readable answer. */
export async function roleBreakByModel(question: RoleQuestion): Promise<Omit<RoleBreak, 'message'> | null> {
  const { user, said, text, nonce, conversation } = question;
  const fence = createFence(nonce);
  const { goal = '', facts, persona = '' } = user;
  const material = [
    fence.wrap('goal, facts and manner of the user', [goal, factsText(facts), persona].join('\n')),
    ...said.map((each) => fence.wrap(each.by, each.text)),
    fence.wrap('the message to check', text),
  ];
  const answer = await askAndRepair(
    { ...question, temperature: 0, maxTokens: 300 },
    {
      messages: [
        { role: 'system', content: fillTemplate(dataFile(import.meta.url, './role-check.md').trim(), { nonce }) },
        { role: 'user', content: material.join('\n\n') },
      ],
      tool: TOOL,
      conversation,
      read({ tool_calls }): Reading<{ kept: boolean; why: string }> {
        const { kept, why } = tool_calls.find(({ name }) => name === TOOL.name)?.arguments ?? {};
        if (typeof kept !== 'boolean') return { problem: `call ${TOOL.name} with "kept" and "why"` };
        return { value: { kept, why: typeof why === 'string' ? why : '' } };
      },
    },
  );
  if (answer.outcome !== 'read') {
    const problem = answer.outcome === 'failed' ? errorMessage(answer.error) : 'its answer could not be read';
    throw new SalvoError('USER_FAILED', `the check of the simulated user could not be done: ${problem}`);
  }
  const { kept, why } = answer.value;
  return kept
    ? null
    : { kind: 'by_model', why: `broke its role, as a model says: ${cutEnd(why, LONGEST_REASON, '…')}` };
}
