import { createServer } from 'node:http';

const WORDS = answer({ content: 'Your order has been shipped.' }, 'stop');

/** What a judge answers: under /judge. */
const VOTE = answer(
  {
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: {
          name: 'score_criteria',
          arguments: JSON.stringify({
            polite: { reasoning: 'It greets and thanks the customer, and is short.', score: 0.75 },
            helpful: { reasoning: 'It names the order and what happens next.', score: 1 },
            honest: { reasoning: 'The tool really said that it was shipped.', score: 1 },
          }),
        },
      },
    ],
  },
  'tool_calls',
);

function answer(message: object, finish_reason: string): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'bench',
    choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 100, completion_tokens: 8, total_tokens: 108 },
  });
}

const server = createServer((request, response) => {
  const body = request.url?.startsWith('/judge') ? VOTE : WORDS;
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
