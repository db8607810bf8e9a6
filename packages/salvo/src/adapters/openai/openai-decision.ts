import type { DecisionCreateParams } from 'openai/resources/decisions';
import { z } from 'zod';
import { usageSchema } from '../../trace/forms/usage.ts';
import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { decisionTurn } from '../decision.ts';
import type { DecisionQuestion } from '../decision-question.ts';
import { unreadableBody } from '../sdk/response-body.ts';
import { errorInBody } from './openai-response.ts';

/** The body of a request to `/v1/decisions`: the messages, and the questions about them. It has no settings of sampling. */
export function openAiDecisionBody({ messages, config }: TurnRequest): DecisionCreateParams {
  return {
    model: config.model,
    input: messages.flatMap(({ role, content }) =>
      role === 'system' || role === 'user' ? [{ role, content: content ?? '' }] : [],
    ),
    questions: (config.decision ?? []).map(wireQuestion),
  };
}

function wireQuestion(question: DecisionQuestion): DecisionCreateParams['questions'][number] {
  const { name, instructions } = question;
  if (question.type === 'predicate') return { type: 'predicate', name, instructions };
  const levels = question.levels.map(({ label, description }) => ({ label, ...(description && { description }) }));
  return { type: 'score', name, instructions, levels };
}

const decisionSchema = z.object({ answers: z.array(z.unknown()), usage: usageSchema.catch(null) });

/** The answers as the server sent them: whoever asked compares them with the questions. */
export function openAiDecision(body: unknown): AdapterTurnResult {
  const decision = decisionSchema.safeParse(body);
  if (!decision.success) {
    throw errorInBody(body) ?? unreadableBody({ body, expected: 'a decision', problem: decision.error });
  }
  const { answers, usage } = decision.data;
  return decisionTurn(answers, { usage, raw_response: body });
}
