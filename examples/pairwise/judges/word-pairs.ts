import type { AdapterConfig, Message, ToolDefinition } from 'salvo';

/**
 * A judge without a model: it counts what each of two answers says. If they are close, it prefers the one that it sees
 * first, as many models do. Both orders are asked, so that such a preference becomes a tie.
 */
export default {
  async sendTurn(messages: Message[], tools: ToolDefinition[], _config: AdapterConfig) {
    const shown = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const [a, b] = [pointsOf(answerIn(shown, 'A')), pointsOf(answerIn(shown, 'B'))];
    const score = a === b ? 0.75 : a > b ? 1 : 0;
    const reasoning = `A has ${a} of the three things that a reply needs, and B has ${b}.`;
    const asked = Object.keys(tools[0]?.parameters.properties ?? {});
    return {
      content: null,
      tool_calls: [
        {
          id: 'vote',
          name: 'score_criteria',
          arguments: Object.fromEntries(asked.map((name) => [name, { reasoning, score }])),
        },
      ],
      usage: { input_tokens: Math.ceil(shown.length / 4), output_tokens: 30 },
      finish_reason: 'tool_calls',
      raw_response: null,
    };
  },
};

function pointsOf(answer: string): number {
  const signs = [
    /\b(sorry|apologi[sz]e)\b/i,
    /\b(we|i)( will|'ll| have|'ve)\b/i,
    /\b(today|tomorrow|\d+ days|\w+day)\b/i,
  ];
  return signs.filter((sign) => sign.test(answer)).length;
}

/** Each answer is between two fences, whose labels have its letter. */
function answerIn(shown: string, letter: 'A' | 'B'): string {
  const fenced = new RegExp(
    `<<<BEGIN MATERIAL \\S+: [^>]*response of answer ${letter}>>>\\n([\\s\\S]*?)\\n<<<END MATERIAL`,
  );
  return fenced.exec(shown)?.[1] ?? '';
}
