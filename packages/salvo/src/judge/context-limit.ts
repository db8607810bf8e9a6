import type { ModelCaller } from '../models/call/model-caller.ts';
import { buildScoringTool } from '../models/scoring/scoring-tool.ts';
import { FEWEST_CONTEXT_CHARACTERS } from '../scenario/schema/shared-fields.ts';
import { buildJudgeMessages } from './prompt/judge-messages.ts';
import type { JudgeSettings } from './votes/cast-vote.ts';

/** How much of a trial a judge may see at once, unless something else is said. */
export const MOST_CONTEXT_CHARACTERS = 200_000;

/** Fewer than in English or code: a prompt that does not fit is not judged at all. */
const CHARACTERS_PER_TOKEN = 2;
/** For the explanation that a part is a part, and for the question that repairs an answer. */
const RESERVED_CHARACTERS = 4_000;

/** What decides how much a judge may see. */
type LimitedJudge = Pick<
  JudgeSettings,
  'judges' | 'criteria' | 'customPrompt' | 'maxTokens' | 'maxContextCharacters'
> & {
  models: Pick<ModelCaller, 'contextTokens'>;
};

/**
 * How many characters of a trial a judge may see at once. The judges of a panel see the same, so the smallest context
 * counts.
 */
export async function contextLimit(judge: LimitedJudge): Promise<number> {
  const { judges, models, maxContextCharacters } = judge;
  if (maxContextCharacters !== undefined) return maxContextCharacters;
  const contexts = await Promise.all(
    judges.map(async ({ adapter, model }) => (await models.contextTokens?.(adapter, model)) ?? null),
  );
  const known = contexts.filter((tokens) => tokens !== null);
  if (known.length === 0) return MOST_CONTEXT_CHARACTERS;
  // An answer that cannot be read is quoted in the second question, and answered again.
  const tokens = Math.min(...known) - 2 * judge.maxTokens;
  const characters = tokens * CHARACTERS_PER_TOKEN - questionLength(judge);
  return Math.max(FEWEST_CONTEXT_CHARACTERS, Math.min(MOST_CONTEXT_CHARACTERS, characters));
}

/** Of everything in a question but the material. */
function questionLength({ criteria, customPrompt }: LimitedJudge): number {
  const messages = buildJudgeMessages({ criteria, customPrompt, part: { note: null, sections: [] }, nonce: '' });
  const written = messages.reduce((total, { content }) => total + (content?.length ?? 0), 0);
  return written + JSON.stringify(buildScoringTool(criteria)).length + RESERVED_CHARACTERS;
}
