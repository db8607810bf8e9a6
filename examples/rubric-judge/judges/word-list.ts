import type { AdapterConfig, Message } from 'salvo';

/**
 * A judge without a model: it searches for words. This shows how a judge is called, and how calibration rates a judge
 * that is sometimes wrong. Every fifth vote is a little stricter, because the votes of a model differ as well.
 */
export default {
  async sendTurn(messages: Message[], _tools: unknown, { conversation }: AdapterConfig) {
    const answer = materialOf(messages).toLowerCase();
    const strict = (conversation?.voteNumber ?? 1) % 5 === 0;
    const sorry = /\b(sorry|apologi[sz]e|apologies)\b/.test(answer);
    const deed = /\b(we|i)( will|'ll| have|'ve)\b/.test(answer);
    const time = (
      strict ? /\b(today|tomorrow|\d+ (hours|days)|by \w+day)\b/ : /\b(today|tomorrow|hours?|days?|week|\w+day|noon)\b/
    ).test(answer);
    const rude = /\b(your (own )?fault|should have|calm down|obviously|as i said|read the)\b/.test(answer);
    const scores = {
      apologises: { reasoning: sorry ? 'A word of apology is there.' : 'No word of apology.', score: sorry ? 1 : 0 },
      next_step: {
        reasoning: deed ? (time ? 'Something is promised, with a time.' : 'A promise without a time.') : 'No promise.',
        score: deed ? (time ? 1 : 0.5) : 0,
      },
      respectful: { reasoning: rude ? 'It blames the customer.' : 'Nothing rude was found.', score: rude ? 0 : 1 },
    };
    return {
      content: null,
      tool_calls: [{ id: 'vote', name: 'score_criteria', arguments: scores }],
      usage: { input_tokens: Math.ceil(answer.length / 4), output_tokens: 60 },
      finish_reason: 'tool_calls',
      raw_response: null,
    };
  },
};

/** The agent's answer is between two fences in the last message. */
function materialOf(messages: Message[]): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return /<<<BEGIN MATERIAL \S+: [^>]*response[^>]*>>>\n([\s\S]*?)\n<<<END MATERIAL/i.exec(asked)?.[1] ?? '';
}
