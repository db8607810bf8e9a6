import type { ToolDefinition } from 'salvo/kit/adapters';
import {
  type AskedModel,
  askAndRepair,
  isCutOff,
  type ModelUsage,
  promptsIn,
  type Reading,
  readToolAnswer,
} from 'salvo/kit/models';
import { dataFolder, type ErrorCode } from 'salvo/kit/text';
import { RedTeamError } from '../red-team-error.ts';

/** The prompts of the Red Team. */
export const prompt = promptsIn<'engineer' | 'code' | 'architect' | 'selector' | 'writer' | 'reviewer'>(() =>
  dataFolder(import.meta.url, './prompts'),
);

/** The model that is asked, and how. The same for all questions of one game. */
export interface Engineer extends AskedModel {
  seed: number;
}

/** The model made no game. What its answers cost is known all the same. */
export class RedModelError extends RedTeamError {
  readonly usage: ModelUsage;

  constructor(code: ErrorCode, message: string, options: { usage: ModelUsage; cause?: unknown }) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.usage = options.usage;
  }
}

/**
 * Asks a model for something that it hands in through a tool, and once more when that cannot be used. Rejects with a
 * `RedModelError` when it still cannot, or when there is no answer; with the signal's reason when it is stopped.
 */
export async function askEngineer<T>(
  engineer: Engineer,
  { text, tool, read }: { text: string; tool: ToolDefinition; read(value: unknown): Reading<T> },
): Promise<T> {
  const { model, seed, bill, signal } = engineer;
  signal?.throwIfAborted();
  const answer = await askAndRepair(engineer, {
    messages: [
      { role: 'system', content: prompt('engineer') },
      { role: 'user', content: text },
    ],
    tool,
    read: (result) => readToolAnswer(result, tool.name, read),
    conversation: { seed, trialNumber: 1, request: bill.requests() },
    whenCutOff: 'write less code',
  });
  if (answer.outcome === 'read') return answer.value;
  signal?.throwIfAborted();
  const usage = bill.usage();
  if (answer.outcome === 'failed') {
    const reason = answer.error instanceof Error ? answer.error.message : String(answer.error);
    throw new RedModelError('MODEL_FAILED', `${model} could not be asked: ${reason}`, {
      usage,
      cause: answer.error,
    });
  }
  if (answer.outcome === 'refused') throw new RedModelError('MODEL_REFUSED', `${model} ${answer.reason}`, { usage });
  const limit = isCutOff(answer.result) ? ' It was cut off: raise maxTokens.' : '';
  throw new RedModelError(
    'MODEL_ANSWER_INVALID',
    `${model} wrote nothing that can be used, also when asked again. ${answer.problem}${limit}`,
    { usage },
  );
}
