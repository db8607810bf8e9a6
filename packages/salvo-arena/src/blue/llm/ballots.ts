import { closedObject, type Fence, listTool, schemaReader } from 'salvo/kit/models';
import { z } from 'zod';
import type { Finding } from '../../match/claims/finding.ts';
import { prompt } from './prompts.ts';
import { askAboutEach, type Review } from './review.ts';

const VOTE = listTool({
  name: 'vote_on_findings',
  description: 'Hands in your vote on every finding.',
  list: 'votes',
  items: closedObject({
    number: { type: 'integer', description: 'Of the finding.' },
    reason: { type: 'string', description: 'What in the code decides it, in one sentence.' },
    agree: { type: 'boolean', description: 'Whether the code has this flaw.' },
  }),
});

const voteSchema = z.object({
  number: z.coerce.number(),
  reason: z
    .string()
    .nullish()
    .transform((reason) => reason ?? ''),
  agree: z.boolean(),
});

/** What one specialist says of one finding. */
export type Vote = Omit<z.infer<typeof voteSchema>, 'number'>;

const readVotes = schemaReader(
  z.object({ votes: z.array(voteSchema) }).transform(({ votes }) => votes),
  'It has no `votes`, each with `number`, `reason` and `agree`.',
);

/** A specialist's vote on each of the findings; undefined where it gave none. */
export function castBallot(
  review: Review,
  findings: readonly Finding[],
  objections: readonly string[] = [],
): Promise<(Vote | undefined)[]> {
  return askAboutEach(review, findings, {
    words: (known, fence) => prompt('ballot', { known, arguments: fencedArguments(objections, fence) }),
    tool: VOTE,
    read: readVotes,
  });
}

/** What models say about untrusted code can be trusted no more than the code, so it is fenced, too. */
function fencedArguments(objections: readonly string[], fence: Fence): string {
  if (objections.length === 0) return '';
  return `${prompt('arguments', { arguments: fence.wrap('arguments', objections.join('\n')) })}\n`;
}
