import type { AdapterTurnResult } from '../packages/salvo/src/adapters/adapter.ts';
import type { ModelCall, ModelCaller } from '../packages/salvo/src/models/call/model-caller.ts';

/** What a judge answers; the rest is filled in. To throw is to be a dead provider. */
export type FakeAnswer = Partial<AdapterTurnResult> & { price?: number | null };
export type FakeJudge = (call: ModelCall) => FakeAnswer | Promise<FakeAnswer>;

export interface FakeModels extends ModelCaller {
  calls: ModelCall[];
  /** How many calls were under way at once, at the most. */
  mostAtOnce(): number;
}

/** Models that answer as a test says, for a cent a call. */
export function fakeModels(
  answer: FakeJudge,
  {
    provider = 'openai',
    fingerprint = 'fake',
    server = 'fake',
  }: { provider?: string; fingerprint?: string | null; server?: string } = {},
): FakeModels {
  const calls: ModelCall[] = [];
  let [now, most] = [0, 0];
  return {
    calls,
    mostAtOnce: () => most,
    providerName: () => provider,
    identity: () => server,
    fingerprint: () => fingerprint,
    async call(call) {
      calls.push(call);
      now += 1;
      most = Math.max(most, now);
      try {
        const { price = 0.01, ...result } = await answer(call);
        return {
          result: {
            content: null,
            tool_calls: [],
            usage: { input_tokens: 100, output_tokens: 20 },
            finish_reason: 'stop',
            raw_response: null,
            ...result,
          },
          costUsd: price,
          latencySeconds: 0.5,
          requests: 1,
        };
      } finally {
        now -= 1;
      }
    },
    close: async () => {},
  };
}

/** The vote number of a call, and which of the vote's requests it is. */
export function askedFor({ config }: ModelCall): { vote: number; request: number } {
  return { vote: config.conversation?.voteNumber ?? 0, request: config.conversation?.request ?? 0 };
}

/** A vote as a judge hands it in. */
export function scoring(scores: Record<string, number | { score: unknown; reasoning?: string }>): FakeAnswer {
  const args = Object.entries(scores).map(([name, score]) => [
    name,
    typeof score === 'number' ? { score, reasoning: `because ${name}` } : score,
  ]);
  return {
    tool_calls: [{ id: 'call_1', name: 'score_criteria', arguments: Object.fromEntries(args) }],
    finish_reason: 'tool_calls',
  };
}
