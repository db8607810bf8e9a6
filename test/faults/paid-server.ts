import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import type { Reply } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';

const callerSchema = z.enum(['agent', 'judge', 'red', 'blue']);
const bodySchema = z.object({ model: z.templateLiteral([callerSchema, '-model']) });

/** Less than a test may take: one that fails ends its programs, one that takes too long cannot. */
export const PATIENCE_MS = 240_000;
/** Every call costs a cent. */
export const CALL_USD = 0.01;
export const paidProject = {
  'salvo.yaml': `
prices:
  agent-model: { input_per_million: 10, output_per_million: 0 }
  judge-model: { input_per_million: 10, output_per_million: 0 }
  red-model: { input_per_million: 10, output_per_million: 0 }
  blue-model: { input_per_million: 10, output_per_million: 0 }
judge: { model: judge-model, k: 3 }
`,
};

type Caller = z.infer<typeof callerSchema>;

/** Calls that get no answer for now. */
interface Hold {
  /** Resolves when so many of them have arrived, and fails if they never do. */
  arrived(count: number): Promise<void>;
  /** Answers them, and all later ones. */
  release(): void;
}

export interface PaidServer extends AsyncDisposable {
  env: Record<string, string>;
  calls: Record<Caller, number>;
  /** Calls about each number. */
  callsAbout: ReadonlyMap<number, number>;
  /** Calls that were paid for and whose answer nobody got. */
  unanswered(): number;
  /** Resolves when so many more calls have arrived than now. */
  arrivals(count: number): Promise<void>;
  /** Holds calls of one of them back, about `number` if it is given, but for the first few. */
  hold(caller: Caller, options?: { number?: number; after?: number }): Hold;
  /** From now on every call fails, or none. */
  isDown: boolean;
}

const CODE = 'resource "aws_s3_bucket" "data" {\n  bucket = "data"\n  acl    = "public-read"\n}\n';
const FLAW = {
  ...{ id: 'V1', type: 'public_access', title: 'public bucket', resource: 'aws_s3_bucket.data', attribute: 'acl' },
  ...{ severity: 'high', description: 'Anybody can read the bucket.', technique: 'plain', rule_ids: [] },
  ...{ evidence: 'acl    = "public-read"', file: 'main.tf', line: 3, source: 'novel' },
};
/** What may mean the same flaw, so that the judge of a game is asked. */
const FINDING = {
  id: 'B1',
  type: 'encryption',
  title: 'Storage',
  resource: FLAW.resource,
  severity: 'low',
  confidence: 1,
};

function toolCallOf(caller: Exclude<Caller, 'agent'>, { number, body }: { number: number | undefined; body: unknown }) {
  const call = (name: string, parts: unknown) => ({ id: 'c', name, arguments: JSON.stringify(parts) });
  if (caller === 'red')
    return call('hand_in_code', { files: [{ name: 'main.tf', content: CODE }], vulnerabilities: [FLAW] });
  if (caller === 'blue') return call('report_findings', { findings: [FINDING] });
  const criterion = JSON.stringify(body).includes('same_flaw') ? 'same_flaw' : 'polite';
  const score = number !== undefined && number % 3 === 0 ? 0 : 1;
  return call('score_criteria', { [criterion]: { score, reasoning: 'It begs.' } });
}

interface Holding {
  caller: Caller;
  number: number | undefined;
  left: number;
  arrive: () => void;
  released: Promise<void>;
}

/**
 * An agent, a judge, a Red and a Blue behind the interface of OpenAI, which count what they are paid for. A prompt may have a number
 * ("Number 7"): the agent repeats it, and the judge is against those that can be divided by three.
 */
export async function startPaidServer(): Promise<PaidServer> {
  const calls = { agent: 0, judge: 0, red: 0, blue: 0 };
  const callsAbout = new Map<number, number>();
  const waiting = new Set<{ left: number; resolve: () => void }>();
  const holdings = new Set<Holding>();
  const usage = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 };

  async function answer({ body }: { body: unknown }): Promise<Reply> {
    for (const each of waiting) {
      each.left -= 1;
      if (each.left > 0) continue;
      each.resolve();
      waiting.delete(each);
    }
    if (paid.isDown) return { status: 503, json: {} };
    const caller = callerSchema.parse(bodySchema.parse(body).model.replace('-model', ''));
    calls[caller] += 1;
    const [, digits] = /Number (\d+)/.exec(JSON.stringify(body)) ?? [];
    const number = digits === undefined ? undefined : Number(digits);
    if (number !== undefined) callsAbout.set(number, (callsAbout.get(number) ?? 0) + 1);
    for (const holding of [...holdings]) {
      if (holding.caller !== caller || (holding.number !== undefined && holding.number !== number)) continue;
      if (holding.left-- > 0) continue;
      holding.arrive();
      await holding.released;
    }
    if (caller === 'agent') return completion({ content: `Please.${digits ? ` Number ${digits}.` : ''}`, usage });
    return completion({ toolCalls: [toolCallOf(caller, { number, body })], usage });
  }

  const server = await startAnsweringServer(answer);
  const paid: PaidServer = {
    env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'key-of-a-test' },
    calls,
    callsAbout,
    unanswered: server.unanswered,
    isDown: false,
    arrivals: (count) => new Promise((resolve) => waiting.add({ left: count, resolve })),
    hold(caller, { number, after = 0 } = {}) {
      const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
      const arrivals = new EventEmitter();
      let count = 0;
      const arrive = (): void => {
        count += 1;
        arrivals.emit('arrival');
      };
      const holding: Holding = { caller, number, left: after, arrive, released };
      holdings.add(holding);
      return {
        async arrived(wanted) {
          const signal = AbortSignal.timeout(PATIENCE_MS);
          while (count < wanted) {
            await once(arrivals, 'arrival', { signal }).catch((cause: unknown) => {
              throw new Error(`Of ${wanted} calls of ${caller} only ${count} came.`, { cause });
            });
          }
        },
        release() {
          holdings.delete(holding);
          letGo();
        },
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return paid;
}
