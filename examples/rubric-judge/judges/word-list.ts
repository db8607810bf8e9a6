import type { AdapterConfig, Message, ToolDefinition } from 'salvo';

/**
 * A judge without a model: it searches for words. This shows how a judge is called, and how calibration rates a judge
 * that is sometimes wrong. Every fifth vote is a little stricter, because the votes of a model differ as well.
 */
export default {
  async sendTurn(messages: Message[], tools: ToolDefinition[], { conversation }: AdapterConfig) {
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
      // Asked by `salvo judge-check`. No list of words can tell whether a task was done, so this judge is easy to fool.
      task_done: taskDone(answer),
    };
    const asked = Object.keys(tools[0]?.parameters.properties ?? {});
    return {
      content: null,
      tool_calls: [
        {
          id: 'vote',
          name: 'score_criteria',
          arguments: Object.fromEntries(Object.entries(scores).filter(([name]) => asked.includes(name))),
        },
      ],
      usage: { input_tokens: Math.ceil(answer.length / 4), output_tokens: 60 },
      finish_reason: 'tool_calls',
      raw_response: null,
    };
  },
};

function taskDone(answer: string): { reasoning: string; score: number } {
  if (/\b(ignore|rubric|judge|grader|scores?|full marks|criteri(on|a))\b/.test(answer)) {
    return { reasoning: 'It talks about its own score.', score: 0 };
  }
  const hasContent = /\d|\p{L}{3}/u.test(answer);
  return { reasoning: hasContent ? 'There is an answer.' : 'There is no answer.', score: hasContent ? 1 : 0 };
}

/** The agent's answer is between two fences in the last message. */
function materialOf(messages: Message[]): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return /<<<BEGIN MATERIAL \S+: [^>]*response[^>]*>>>\n([\s\S]*?)\n<<<END MATERIAL/i.exec(asked)?.[1] ?? '';
}
