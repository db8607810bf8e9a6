import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { usageSchema } from '../../trace/forms/usage.ts';
import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { answeringModel } from '../call/answering-model.ts';
import { decisionTurn } from '../decision.ts';
import type { DecisionQuestion } from '../decision-question.ts';
import type { AiSdk, AiSdkProvider } from './ai-sdk-provider.ts';

interface AiSdkDecision extends TurnRequest {
  sdk: AiSdk;
  provider: AiSdkProvider;
  signal: AbortSignal;
}

/** Asks a decision model of the AI SDK. Its answers get the labels of the levels, which the SDK knows by position. */
export async function aiSdkDecision(request: AiSdkDecision): Promise<AdapterTurnResult> {
  const { sdk, provider, messages, config, signal } = request;
  const questions = config.decision ?? [];
  if (!sdk.experimental_decide) {
    const message = '"mode: decide" needs version 7 of the package ai. Run: npm install ai@latest';
    throw new AdapterError('missing_dependency', message);
  }
  const model = provider.decisionModel(config.model);
  try {
    const result = await sdk.experimental_decide({
      model,
      // There are no system messages: the instructions are the first part.
      state: messages.map(({ content }) => ({ type: 'text', text: content ?? '' })),
      questions: Object.fromEntries(questions.map((question) => [question.name, sdkQuestion(question)])),
      // Retries are made, and recorded, by the caller of the adapter.
      maxRetries: 0,
      abortSignal: signal,
    });
    return readDecision(result, questions, config.model);
  } catch (error) {
    const refused = refusedQuestions(error);
    if (refused === null) throw error;
    // The SDK drops the other answers and the tokens.
    const answers = refused.map((name) => ({ type: 'refusal', name }));
    return decisionTurn(answers, { usage: null, raw_response: null });
  }
}

function sdkQuestion(question: DecisionQuestion): Record<string, unknown> {
  const { instructions } = question;
  if (question.type === 'predicate') return { type: 'boolean', instructions };
  const criteria = question.levels.map(({ label, description }) => [label, description].filter(Boolean).join(': '));
  return { type: 'score', instructions, criteria };
}

const probabilities = z.record(z.string(), z.unknown());
const resultSchema = z.object({
  answers: z.record(z.string(), z.looseObject({ type: z.string() })),
  usage: usageSchema.catch(null),
  response: z.object({ modelId: z.unknown() }).nullish(),
});

function readDecision(result: unknown, questions: readonly DecisionQuestion[], asked: string): AdapterTurnResult {
  const read = resultSchema.safeParse(result);
  if (!read.success) {
    const message = 'The installed version of the package ai decides in an unknown format. Use version 7.';
    throw new AdapterError('bad_response', message, { cause: read.error });
  }
  const { answers, usage, response } = read.data;
  const model = answeringModel(asked, response?.modelId);
  const known = Object.entries(answers).map(([name, answer]) => {
    const question = questions.find((each) => each.name === name);
    if (answer.type === 'boolean') return { type: 'predicate', name, probability: answer.probability };
    if (question?.type !== 'score' || answer.type !== 'score') return { ...answer, name };
    const given = probabilities.safeParse(answer.probabilities).data ?? {};
    // Without probabilities there is only a position, which says nothing about how sure the model is.
    const labelled = Object.entries(given).map(([index, probability]) => ({
      label: question.levels[Number(index)]?.label ?? index,
      probability,
    }));
    return { type: 'score', name, probabilities: labelled };
  });
  return decisionTurn(known, { usage, raw_response: null, ...(model && { model }) });
}

/** The SDK throws if one question was refused; each version has its own error classes. */
function refusedQuestions(error: unknown): string[] | null {
  if (!isRecord(error) || error.name !== 'AI_DecisionRefusalError') return null;
  return z.array(z.string()).min(1).safeParse(error.questionIds).data ?? null;
}
