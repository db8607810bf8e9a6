import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { completion } from '../loopback/openai-wire.ts';

const bodySchema = z.object({ model: z.string() });
const vote = JSON.stringify({ polite: { score: 1, reasoning: 'It begs.' } });

/** Every call costs a cent. */
export const CALL_USD = 0.01;
export const paidProject = {
  'salvo.yaml': `
prices:
  agent-model: { input_per_million: 10, output_per_million: 0 }
  judge-model: { input_per_million: 10, output_per_million: 0 }
judge: { model: judge-model, k: 3 }
`,
};

export interface PaidServer extends AsyncDisposable {
  env: Record<string, string>;
  calls: { agent: number; judge: number };
  /** Resolves when so many more calls have arrived than now. */
  arrivals(count: number): Promise<void>;
  /** From now on every call fails, or none. */
  isDown: boolean;
}

/** An agent and a judge behind the interface of OpenAI, which count what they are paid for. */
export async function startPaidServer(): Promise<PaidServer> {
  const calls = { agent: 0, judge: 0 };
  const waiting = new Set<{ left: number; resolve: () => void }>();
  const usage = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 };
  const server = createServer(async (request, response) => {
    const { model } = bodySchema.parse(await json(request));
    for (const each of waiting) {
      each.left -= 1;
      if (each.left > 0) continue;
      each.resolve();
      waiting.delete(each);
    }
    if (paid.isDown) {
      response.writeHead(503).end();
      return;
    }
    const isJudge = model === 'judge-model';
    calls[isJudge ? 'judge' : 'agent'] += 1;
    const toolCalls = [{ id: 'c', name: 'score_criteria', arguments: vote }];
    const reply = completion(isJudge ? { toolCalls, usage } : { content: 'Please.', usage });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof reply === 'object' && 'json' in reply ? JSON.stringify(reply.json) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const paid: PaidServer = {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'key-of-a-test' },
    calls,
    isDown: false,
    arrivals: (count) => new Promise((resolve) => waiting.add({ left: count, resolve })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return paid;
}
