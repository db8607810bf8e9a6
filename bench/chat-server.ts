import { createServer } from 'node:http';

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'bench',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Your order has been shipped.' } },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 8, total_tokens: 108 },
});

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) });
    response.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
