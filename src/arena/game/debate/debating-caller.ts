import type { Usage } from '../../../adapters/adapter.ts';
import { createFence, newNonce } from '../../../models/fence.ts';
import type { ModelCall, ModelCaller, ModelReply } from '../../../models/model-caller.ts';
import { fillTemplate } from '../../../models/templates.ts';
import { sumOrUnknown } from '../../../stats/sum-or-unknown.ts';
import { cutMiddle } from '../../../text/cut-text.ts';
import { dataFolder, fileOf } from '../../../text/data-file.ts';
import type { Message } from '../../../trace/message.ts';

const SIDES = [
  { label: 'argument for the same flaw', side: 'mean one and the same flaw' },
  { label: 'argument for two flaws', side: 'mean two different flaws' },
] as const;

/** Nobody needs more to make a point, and every vote pays for it. */
const LONGEST_ARGUMENT = 4000;

interface Debate {
  /** To be put behind the question. */
  text: string;
  replies: ModelReply[];
}

/**
 * A caller for a judge of pairs with whom two voices argue before it decides: one that the notes mean the same flaw, one
 * that they mean two. All three are the model that the judge is. A pair is argued once, however often it is voted on; who
 * votes first has the debate on the bill. A debate that fails leaves the vote without an answer.
 */
export function createDebatingCaller(models: ModelCaller): ModelCaller {
  const debates = new Map<string, Promise<Debate>>();
  return {
    providerName: (adapter) => models.providerName(adapter),
    // Votes with a debate and votes without are not the same votes.
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
  const template = prompt('advocate');
  const replies = await Promise.all(
    SIDES.map(({ side }) => {
      // The judge is made to call a tool; a voice has none and only speaks.
      const config = { ...call.config, extras: undefined };
      const messages = appended(question, fillTemplate(template, { side }));
      return models.call({ adapter: call.adapter, messages, tools: [], config });
    }),
  );
  const fence = createFence(nonceOf(question));
  const spoken = replies.map(({ result }, index) => {
    const text = result.content?.trim() || '(nothing was said)';
    return fence.wrap(SIDES[index]?.label ?? 'argument', cutMiddle(text, LONGEST_ARGUMENT));
  });
  return { text: fillTemplate(prompt('arguments'), { arguments: spoken.join('\n\n') }), replies };
}

/** What is asked, without an unreadable answer and the request to repair it that may follow. */
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

/** The judge is told one code for all fences. The first fence is ours: nobody else's text stands before it. */
function nonceOf(question: readonly Message[]): string {
  const text = question.map(({ content }) => content).join('\n');
  return /^<<<BEGIN MATERIAL ([0-9a-f]+): /m.exec(text)?.[1] ?? newNonce();
}

function withBill(reply: ModelReply, debate: readonly ModelReply[]): ModelReply {
  const all = [...debate, reply];
  return {
    result: { ...reply.result, usage: sumUsage(all.map(({ result }) => result.usage)) },
    cost_usd: sumOrUnknown(all.map(({ cost_usd }) => cost_usd)),
    latency_seconds: all.reduce((sum, { latency_seconds }) => sum + latency_seconds, 0),
    requests: reply.requests,
  };
}

function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce<Usage | null>(
    (sum, usage) =>
      sum && usage
        ? {
            input_tokens: sum.input_tokens + usage.input_tokens,
            output_tokens: sum.output_tokens + usage.output_tokens,
          }
        : null,
    { input_tokens: 0, output_tokens: 0 },
  );
}

function prompt(name: string): string {
  return fileOf(dataFolder(import.meta.url, './prompts'), `${name}.md`).trim();
}
