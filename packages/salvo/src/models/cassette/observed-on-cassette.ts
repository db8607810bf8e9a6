import type { Adapter, AdapterConfig } from '../../adapters/adapter.ts';
import type { ExchangeTape, TapedRequest } from '../../adapters/observe/observation.ts';
import { trialOf } from '../../adapters/observe/observed-turn.ts';
import { type CassetteAdapterOptions, cassetteCall, notRecorded, trialOfAgent, withNonce } from './cassette-adapter.ts';
import { redactedAnswer } from './exchange-answer.ts';
import { exchangeRequest } from './exchange-request.ts';

/**
 * An agent with `observe: model` whose requests to its model are recorded, or answered from a recording. The agent itself runs
 * in both cases, with its own tools.
 */
export function observedOnCassette(options: CassetteAdapterOptions): Adapter {
  const { adapter, cassette, name } = options;
  return {
    ...adapter,
    prepare: async () => adapter.prepare?.({ isReplay: cassette.mode === 'replay' }),
    async sendTurn(messages, tools, config) {
      const observed = { ...trialOf(config), tape: tapeOf(options, config) };
      const result = await adapter.sendTurn(messages, tools, { ...config, observed });
      await cassette.begin(trialOfAgent(name, config));
      return result;
    },
  };
}

/** What stands for the id of a trial, which an agent may send to its model, and which is another one in every run. */
const TRIAL = '[TRIAL]';

/** Answers in another form, such as audio, would not come back as they were. */
const TEXT = /^$|json|^text\//;

function tapeOf(options: CassetteAdapterOptions, config: AdapterConfig): ExchangeTape {
  const { cassette, redactor } = options;
  const id = config.conversation?.id;
  const callOf = (request: TapedRequest) =>
    cassetteCall(options, config, withNonce(exchangeRequest(request), id, TRIAL));
  if (cassette.mode === 'replay') {
    return {
      mode: 'replay',
      answerOf(request) {
        const call = callOf(request);
        const found = cassette.answerOf(call);
        if ('nearest' in found) throw notRecorded(options, call, found.nearest);
        const { http, started_seconds, latency_seconds, cost_usd } = withNonce(found, TRIAL, id);
        // Turns have other requests.
        if (!http) throw notRecorded(options, call, null);
        return {
          ...{ status: http.status, contentType: http.content_type, text: http.text },
          isBrokenOff: http.broken_off === true,
          startedSeconds: started_seconds ?? null,
          latencySeconds: latency_seconds,
          costUsd: cost_usd,
        };
      },
    };
  }
  return {
    mode: 'record',
    leaveOut: (request, why) => cassette.leaveOut(callOf(request), why),
    async keep(request, { status, contentType, text: received, isBrokenOff, ...answer }) {
      const call = callOf(request);
      if (!TEXT.test(contentType)) return cassette.leaveOut(call, `it is no text (${contentType})`);
      const text = await redactedAnswer(received, request.target, redactor);
      if (text === null)
        return cassette.leaveOut(call, 'it has a secret that is spread over several events of a stream');
      const http = { status, content_type: contentType, text, ...(isBrokenOff && { broken_off: true as const }) };
      const { startedSeconds, latencySeconds: latency_seconds, costUsd: cost_usd } = answer;
      const figures = { started_seconds: startedSeconds ?? undefined, latency_seconds, cost_usd };
      await cassette.keep(call, { http: withNonce(http, id, TRIAL), ...figures });
    },
  };
}
