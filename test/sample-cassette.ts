import type { Adapter, AdapterConfig } from '../packages/salvo/src/adapters/adapter.ts';
import { createPricing } from '../packages/salvo/src/models/budget/prices.ts';
import type { CassetteContents } from '../packages/salvo/src/models/cassette/cassette-contents.ts';
import {
  type CallerOfCall,
  type RecordedCall,
  type TrialOfCall,
  trialKeyOf,
} from '../packages/salvo/src/models/cassette/cassette-document.ts';
import { createRedactor } from '../packages/salvo/src/secrets/redactor.ts';
import { contentHash } from '../packages/salvo/src/text/json/canonical-json.ts';

export const sampleTrialOfCall = (changes: Partial<TrialOfCall> = {}): TrialOfCall => ({
  ...{ scenario: 's', case: null, adapter: 'openai', model: 'm', trial: 1 },
  ...changes,
});

export const AGENT_CALLER: CallerOfCall = { by: 'agent', adapter: 'openai', model: 'm' };
export const judgeCaller = (vote: number): CallerOfCall => ({ by: 'judge', adapter: 'j', model: 'n', vote });

export function sampleRequest(content = 'Hello') {
  return { settings: { temperature: 0 }, messages: [{ role: 'user', content }], tools: [{ name: 'look' }] };
}

export function sampleCall(changes: Partial<RecordedCall> = {}): RecordedCall {
  const { caller = AGENT_CALLER, request = sampleRequest(), ...rest } = changes;
  return {
    ...{ caller, request, occurrence: 1, key: contentHash(request), latency_seconds: 0.5, cost_usd: 0.01 },
    answer: { content: 'Hi', tool_calls: [], usage: { input_tokens: 1, output_tokens: 2 }, finish_reason: 'stop' },
    ...rest,
  };
}

/** A trial with two votes of a judge, and one without. */
export function sampleContents(): CassetteContents {
  const [one, two] = [sampleTrialOfCall(), sampleTrialOfCall({ trial: 2 })];
  const votes = [1, 2].map((vote) => sampleCall({ caller: judgeCaller(vote), request: sampleRequest('Judge it') }));
  return new Map([
    [trialKeyOf(one), { of: one, calls: [sampleCall(), ...votes] }],
    [trialKeyOf(two), { of: two, calls: [sampleCall()] }],
  ]);
}

/** What an adapter on a cassette needs besides the cassette and the adapter. */
export const CASSETTE_SERVICES = {
  name: 'openai',
  redactor: createRedactor({ customPatterns: [], secrets: ['hunter2hunter2'] }),
  pricing: createPricing({ m: { input_per_million: 1_000_000, output_per_million: 0 } }),
  recordAgain: () => 'salvo run',
};

export const sampleConfig = (changes: Partial<AdapterConfig> = {}): AdapterConfig => ({
  model: 'm',
  conversation: { seed: 0, trialNumber: 1, request: 0, scenario: 's' },
  ...changes,
});

/** An adapter that answers as the test says. */
export function answeringAdapter(sendTurn: Adapter['sendTurn']): Adapter {
  return { providerName: () => 'openai', isOneModelCall: true, sendTurn };
}
