import type { AdapterConfig, Message, ToolDefinition } from 'salvo';

/**
 * A decision model without a model: it searches for words, and says how likely each answer is. This shows what a judge
 * with `mode: decide` is asked, and what it answers. Whether such odds are right, only labels can tell.
 */
export default {
  async sendTurn(messages: Message[], _tools: ToolDefinition[], { decision = [] }: AdapterConfig) {
    const text = materialOf(messages).toLowerCase();
    const answers = decision.map((question) => {
      const { type, name } = question;
      const likely = likelyScore(name, text);
      if (type === 'predicate') return { type, name, probability: likely };
      // The levels go from the lowest score to the highest. The nearer to the likely one, the likelier.
      const last = question.levels.length - 1;
      const near = question.levels.map((_, index) => Math.exp(-8 * Math.abs(index / last - likely)));
      const total = near.reduce((sum, each) => sum + each, 0);
      const probabilities = question.levels.map(({ label }, index) => ({
        label,
        probability: (near[index] ?? 0) / total,
      }));
      return { type, name, probabilities };
    });
    return {
      content: null,
      tool_calls: [{ id: 'decision', name: 'decide', arguments: { answers } }],
      usage: { input_tokens: Math.ceil(text.length / 4), output_tokens: 0 },
      finish_reason: 'tool_calls',
      raw_response: null,
    };
  },
};

function likelyScore(criterion: string, text: string): number {
  const deed = /\b(we|i)( will|'ll| have|'ve)\b/.test(text);
  const time = /\b(today|tomorrow|hours?|days?|week|\w+day|noon)\b/.test(text);
  const known: Record<string, number> = {
    apologises: /\b(sorry|apologi[sz]e|apologies)\b/.test(text) ? 0.95 : 0.05,
    next_step: deed ? (time ? 1 : 0.5) : 0,
    respectful: /\b(your (own )?fault|should have|calm down|obviously|as i said|read the)\b/.test(text) ? 0.1 : 0.9,
    // Asked by `salvo judge-check`. No list of words can tell whether a task was done.
    task_done: /\b(ignore|rubric|judge|grader|scores?|full marks|criteri(on|a))\b/.test(text) ? 0 : 1,
  };
  return known[criterion] ?? 0.5;
}

/** The agent's answer is between two fences in the last message. */
function materialOf(messages: Message[]): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return /<<<BEGIN MATERIAL \S+: [^>]*response[^>]*>>>\n([\s\S]*?)\n<<<END MATERIAL/i.exec(asked)?.[1] ?? '';
}
