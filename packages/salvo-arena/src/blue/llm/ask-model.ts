import { type AskedModel, askAndRepair, isCutOff, promptsIn, type Question } from 'salvo/kit/models';
import { dataFolder } from 'salvo/kit/text';
import { abortedError, BlueTeamError } from '../blue-team-error.ts';

/** The model that is asked, and how. The same for all questions of one Blue Team. */
export interface Analyst extends AskedModel {
  seed: number;
}

/**
 * Asks a model, and once more when its answer cannot be read. Rejects with a `BlueTeamError` when it still cannot, or
 * when there is no answer: no answer is not "nothing found".
 */
export async function askModel<T>(
  analyst: Analyst,
  question: Pick<Question<T>, 'messages' | 'tool' | 'read'>,
): Promise<T> {
  const { model, seed, signal } = analyst;
  if (signal?.aborted) throw abortedError(model, signal);
  const answer = await askAndRepair(analyst, { ...question, conversation: { seed, trialNumber: 1, request: 0 } });
  if (answer.outcome === 'read') return answer.value;
  if (signal?.aborted) throw abortedError(model, signal);
  if (answer.outcome === 'failed') {
    const reason = answer.error instanceof Error ? answer.error.message : String(answer.error);
    throw new BlueTeamError('MODEL_FAILED', `${model} could not be asked: ${reason}`, { cause: answer.error });
  }
  if (answer.outcome === 'refused') throw new BlueTeamError('MODEL_REFUSED', `${model} ${answer.reason}`);
  const limit = isCutOff(answer.result) ? ' It was cut off: raise maxTokens.' : '';
  throw new BlueTeamError(
    'MODEL_ANSWER_INVALID',
    `${model} did not answer in a way that can be read. ${answer.problem}${limit}`,
  );
}

/** The prompts of the Blue Team. */
export const prompt = promptsIn<
  'analyst' | 'fence' | 'code' | 'report' | 'part' | 'known' | 'quotes' | 'ballot' | 'arguments'
>(() => dataFolder(import.meta.url, './prompts'));
