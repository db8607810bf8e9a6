import {
  createBill,
  createFence,
  type ModelCall,
  type ModelCaller,
  type ModelReply,
  newNonce,
  promptsIn,
} from 'salvo/kit/models';
import { cutMiddle, dataFolder } from 'salvo/kit/text';
import type { Message } from 'salvo/kit/trace';

const prompt = promptsIn<'advocate' | 'arguments'>(() => dataFolder(import.meta.url, './prompts'));

const SIDES = [
  { label: 'argument for the same flaw', side: 'mean one and the same flaw' },
  { label: 'argument for two flaws', side: 'mean two different flaws' },
] as const;

/** Enough to make a point. Every vote pays for it. */
const LONGEST_ARGUMENT = 4000;

interface Debate {
  /** Added to the question. */
  text: string;
  replies: ModelReply[];
}

/**
 * A caller for a judge of pairs that holds a debate before each vote: one advocate argues that the notes mean the same
 * flaw, another that they mean two. The advocates are the same model as the judge. A pair is debated once, however
 * often it is voted on, and the first vote is charged for it. When a debate fails, so does the vote.
 */
export function createDebatingCaller(models: ModelCaller): ModelCaller {
  const debates = new Map<string, Promise<Debate>>();
  return {
    asksBudget: models.asksBudget,
    providerName: (adapter) => models.providerName(adapter),
    identity: (adapter) => `${models.identity(adapter)} after a debate`,
    // Votes after a debate must not be taken from the cache of votes without one.
    fingerprint(adapter) {
      const own = models.fingerprint(adapter);
      return own === null ? null : `${own} after a debate`;
    },
    async call(call) {
      const key = JSON.stringify([call.adapter, call.config.model, questionOf(call.messages)]);
      const known = debates.get(key);
      const debate = known ?? argue(models, call);
      debates.set(key, debate);
      const { text, replies } = await debate.catch((error: unknown) => {
        debates.delete(key);
        throw error;
      });
      const reply = await models.call({ ...call, messages: withArguments(call.messages, text) });
      return known ? reply : withBill(reply, replies);
    },
    close: () => models.close(),
  };
}

async function argue(models: ModelCaller, call: ModelCall): Promise<Debate> {
  const question = questionOf(call.messages);
  const spoke = await Promise.allSettled(
    SIDES.map(({ side }) => {
      // The judge is made to call a tool. The advocates have none.
      const config = { ...call.config, extras: undefined };
      const messages = appended(question, prompt('advocate', { side }));
      return models.call({ ...call, messages, tools: [], config });
    }),
  );
  const replies = spoke.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = spoke.find((each) => each.status === 'rejected');
  if (failed) {
    // An argument without the other is of no use, but it was paid for.
    for (const _ of replies) call.onUnknownCost?.();
    throw failed.reason;
  }
  const fence = createFence(nonceOf(question));
  const spoken = replies.map(({ result }, index) => {
    const text = result.content?.trim() || '(nothing was said)';
    return fence.wrap(SIDES[index]?.label ?? 'argument', cutMiddle(text, LONGEST_ARGUMENT));
  });
  return { text: prompt('arguments', { arguments: spoken.join('\n\n') }), replies };
}

/** The question, without the follow-up to an unreadable answer. */
function questionOf(messages: readonly Message[]): Message[] {
  const end = messages.findIndex(({ role }) => role === 'user');
  return messages.slice(0, end + 1);
}

function withArguments(messages: readonly Message[], text: string): Message[] {
  const question = questionOf(messages);
  return [...appended(question, text), ...messages.slice(question.length)];
}

function appended(question: readonly Message[], text: string): Message[] {
  return question.map((message) =>
    message.role === 'user' ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
}

/** The nonce that the judge knows for all fences. The first fence is ours: no untrusted text comes before it. */
function nonceOf(question: readonly Message[]): string {
  const text = question.map(({ content }) => content).join('\n');
  return /^<<<BEGIN MATERIAL ([0-9a-f]+): /m.exec(text)?.[1] ?? newNonce();
}

function withBill(reply: ModelReply, debate: readonly ModelReply[]): ModelReply {
  const bill = createBill();
  for (const each of [...debate, reply]) bill.add(each);
  const { input_tokens, output_tokens, cost_usd } = bill.usage();
  const usage = input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens };
  return { ...reply, result: { ...reply.result, usage }, costUsd: cost_usd, latencySeconds: bill.latencySeconds() };
}
