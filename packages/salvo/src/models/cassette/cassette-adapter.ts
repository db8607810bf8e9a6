import type { Adapter, AdapterConfig, AdapterTurnResult, TurnRequest } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { type Stopwatch, startStopwatch } from '../../adapters/call/work-clock.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { formatPlural } from '../../stats/format.ts';
import type { Message } from '../../trace/message.ts';
import { withPlausibleFigures } from '../budget/call-cost.ts';
import type { Pricing } from '../budget/prices.ts';
import type { Cassette, CassetteCall } from './cassette.ts';
import type { CallerOfCall, CassetteRequest, RecordedAnswer, TrialOfCall } from './cassette-document.ts';
import { trialWords } from './nearest-request.ts';

export interface CassetteAdapterOptions {
  cassette: Cassette;
  /** The name of the adapter, as in a scenario. */
  name: string;
  adapter: Adapter;
  /** The trial that a judge or a simulated user is asked for; an agent's requests say it themselves. */
  judged?: TrialOfCall | undefined;
  redactor: Redactor;
  pricing: Pricing;
  /** The command that records a scenario again. */
  recordAgain: (scenario: string) => string;
}

/** An adapter whose answers are recorded, or come from a recording. The replaying one loads nothing and needs no key. */
export function onCassette(options: CassetteAdapterOptions): Adapter {
  const { adapter, cassette } = options;
  const { isOneModelCall, contextTokens } = adapter;
  const providerName = () => adapter.providerName();
  if (cassette.mode === 'replay') {
    const sendTurn: Adapter['sendTurn'] = async (...turn) => replayed(options, turnOf(turn));
    return { providerName, isOneModelCall, contextTokens, isReplayed: true, hasIndependentFailures: true, sendTurn };
  }
  return {
    ...{ providerName, isOneModelCall, contextTokens, hasIndependentFailures: adapter.hasIndependentFailures },
    sendTurn: async (...turn) => recorded(options, turnOf(turn)),
    prepare: async () => adapter.prepare?.(),
    close: async () => adapter.close?.(),
  };
}

function turnOf([messages, tools, config]: Parameters<Adapter['sendTurn']>): TurnRequest {
  return { messages, tools, config };
}

function replayed(options: CassetteAdapterOptions, turn: TurnRequest): AdapterTurnResult {
  const call = callOf(options, turn);
  const found = options.cassette.answerOf(call);
  if ('nearest' in found) throw notRecorded(options, call, found.nearest);
  const { answer, refusal, latency_seconds, cost_usd } = withNonce(found, PLACEHOLDER, turn.config.nonce);
  if (!answer)
    throw new AdapterError(refusal?.kind ?? 'bad_response', refusal?.message ?? '', { status: refusal?.status });
  return { ...answer, raw_response: null, latency_seconds, ...(cost_usd === null ? {} : { cost_usd }) };
}

/** Refusals that depend on nothing but the request. Any other failure may be over when the same is asked again. */
function isKept(error: unknown): error is AdapterError & { kind: 'content_filter' | 'context_length' } {
  return error instanceof AdapterError && (error.kind === 'content_filter' || error.kind === 'context_length');
}

async function recorded(options: CassetteAdapterOptions, turn: TurnRequest): Promise<AdapterTurnResult> {
  const { adapter, cassette, redactor } = options;
  const { messages, tools, config } = turn;
  const keep = (answer: RecordedAnswer) => {
    const known = redactor.value(withNonce(answer, config.nonce, PLACEHOLDER));
    // The time that the file takes is not the agent's.
    return watch.whileWaiting(() => cassette.keep(callOf(options, turn), known));
  };
  const watch = startStopwatch(config.whileWaiting);
  try {
    // A file must not have figures that nobody can read.
    const result = withPlausibleFigures(
      await adapter.sendTurn(messages, tools, { ...config, whileWaiting: watch.whileWaiting }),
    );
    const latency_seconds = secondsOf(watch);
    const { content, tool_calls, usage, finish_reason, reasoning, model, provider_state } = result;
    const answer = { content, tool_calls, usage, finish_reason, reasoning, model, provider_state };
    await keep({ answer, latency_seconds, cost_usd: await costOf(result, options, config.model) });
    return result;
  } catch (error) {
    if (isKept(error)) {
      const { kind, message, status } = error;
      await keep({ refusal: { kind, message, status }, latency_seconds: secondsOf(watch), cost_usd: 0 });
    }
    throw error;
  }
}

async function costOf(
  { cost_usd, usage, model: answeredBy }: AdapterTurnResult,
  { adapter, pricing }: CassetteAdapterOptions,
  model: string,
): Promise<number | null> {
  return cost_usd ?? (await pricing.priceTurn({ model, answeredBy, provider: adapter.providerName(), usage }));
}

/** To a tenth of a millisecond, which is enough to read. */
function secondsOf(watch: Stopwatch): number {
  return Math.max(0, Math.round(watch.workedSeconds() * 10_000) / 10_000);
}

function callOf(options: CassetteAdapterOptions, turn: TurnRequest): CassetteCall {
  const { tools, config } = turn;
  const messages = turn.messages.map(withoutFileContent);
  const { temperature, maxTokens: max_tokens, seed, extras, decision, embed, nonce } = config;
  const asked = { messages, tools, settings: { temperature, max_tokens, seed, extras, decision, embed } };
  return cassetteCall(options, config, withNonce(asked, nonce, PLACEHOLDER));
}

/** Without secrets: also the key is of what is in the file, as later requests quote answers that were redacted. */
export function cassetteCall(
  { name, judged, redactor }: CassetteAdapterOptions,
  { model, conversation }: AdapterConfig,
  asked: CassetteRequest,
): CassetteCall {
  // As it is read from a file: without what is undefined.
  const request: CassetteRequest = JSON.parse(JSON.stringify(redactor.value(asked)));
  const trial = judged ?? trialOfAgent(name, { model, conversation });
  const judge: CallerOfCall = { by: 'judge', adapter: name, model, vote: conversation?.voteNumber ?? 1 };
  const other: CallerOfCall = { by: conversation?.isUser ? 'user' : 'agent', adapter: name, model };
  const caller = judged && other.by !== 'user' ? judge : other;
  return { trial, caller, request };
}

export function trialOfAgent(adapter: string, { model, conversation }: AdapterConfig): TrialOfCall {
  const { scenario = '', case: name = null, trialNumber: trial = 0 } = conversation ?? {};
  return { scenario, case: name, adapter, model, trial };
}

/** A request with another file is another request by the hash of the file. Its content would only make the cassette large. */
function withoutFileContent(message: Message): Message {
  if (message.role === 'system' || !message.files) return message;
  return { ...message, files: message.files.map(({ data: _, ...file }) => file) };
}

/** What stands for the random text in the messages of a judge, which is another one in every judgement. */
const PLACEHOLDER = '[NONCE]';

export function withNonce<T>(value: T, from: string | undefined, to: string | undefined): T {
  if (!from || !to) return value;
  return JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

export function notRecorded(
  { cassette, recordAgain }: CassetteAdapterOptions,
  { trial, caller, request }: CassetteCall,
  nearest: string | null,
): AdapterError {
  const who = {
    agent: 'the agent',
    judge: `vote ${caller.vote} of the judge ${caller.adapter} ${caller.model}`,
    user: `the simulated user ${caller.adapter} ${caller.model}`,
  }[caller.by];
  const what = `A request of ${who} with ${formatPlural(request.messages.length, 'message')} is not on the cassette ${cassette.file}: ${trialWords(trial)}.`;
  const like = nearest ?? 'Nothing of this scenario was recorded.';
  const message = `${what} ${like} To record it again: ${recordAgain(trial.scenario)}`;
  return new AdapterError('not_recorded', message);
}
