import { z } from 'zod';
import type { ToolDefinition } from '../../../adapters/adapter.ts';
import type { Finding } from '../../../match/claims/finding.ts';
import type { Fence } from '../../../models/fence.ts';
import { readToolAnswer, schemaReader } from '../../../models/read-tool-answer.ts';
import { askModel } from './ask-model.ts';
import { prompt } from './prompts.ts';
import { type Review, reviewMessages } from './review.ts';

/** What one specialist says of one finding. */
export interface Vote {
  agree: boolean;
  reason: string;
}

const VOTE: ToolDefinition = {
  name: 'vote_on_findings',
  description: 'Hands in your vote on every finding.',
  parameters: {
    type: 'object',
    properties: {
      votes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: 'integer', description: 'Of the finding.' },
            reason: { type: 'string', description: 'What in the code decides it, in one sentence.' },
            agree: { type: 'boolean', description: 'Whether the code has this flaw.' },
          },
          required: ['number', 'reason', 'agree'],
          additionalProperties: false,
        },
      },
    },
    required: ['votes'],
    additionalProperties: false,
  },
};

const votesSchema = z.object({
  votes: z.array(z.object({ number: z.coerce.number(), reason: z.string().nullish(), agree: z.boolean() })),
});

const readVotes = schemaReader(votesSchema, 'It has no `votes`, each with `number`, `reason` and `agree`.');

/** A specialist's vote on each of the findings; undefined where it gave none. */
export async function castBallot(
  review: Review,
  findings: readonly Finding[],
  objections: readonly string[] = [],
): Promise<(Vote | undefined)[]> {
  const { votes } = await askModel(review.analyst, {
    messages: reviewMessages(review, {
      known: findings,
      words: (known, fence) => prompt('ballot', { known, arguments: fencedArguments(objections, fence) }),
    }),
    tool: VOTE,
    read: (result) => readToolAnswer(result, VOTE.name, readVotes),
  });
  const byNumber = new Map(votes.map(({ number, agree, reason }) => [number, { agree, reason: reason ?? '' }]));
  return findings.map((_, index) => byNumber.get(index + 1));
}

/** What models say about untrusted code can be trusted no more than the code, so it is fenced, too. */
function fencedArguments(objections: readonly string[], fence: Fence): string {
  if (objections.length === 0) return '';
  return `${prompt('arguments', { arguments: fence.wrap('arguments', objections.join('\n')) })}\n`;
}
