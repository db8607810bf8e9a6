import { randomUUID } from 'node:crypto';
import { formatPlural } from '../../stats/format.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { joinSteps } from '../../trace/forms/recorded/join-steps.ts';
import type { RecordedStep } from '../../trace/forms/recorded/recorded-step.ts';
import { sumUsage } from '../../trace/forms/usage.ts';
import type { AdapterConfig } from '../adapter.ts';
import { eitherSignal } from '../call/shared-signal.ts';
import type { Forward } from './forward.ts';
import { refuse, startLoopbackServer } from './loopback-server.ts';
import { stepOfExchange } from './model-exchange.ts';
import { type ModelSession, newSession, recordRequest } from './model-recorder.ts';
import { BASE_URL_VARIABLES, baseUrlVariables, placeholderKeys } from './model-target.ts';
import type { Observation } from './observation.ts';
import { joinOptions, outcomeOf, type TurnOutcome, trialOf, type Watcher, withObservation } from './observed-turn.ts';
import { timeUnderWay } from './replayed-time.ts';
import { TRIAL_HEADER, TrialSessions, trialHeaders } from './trial-sessions.ts';

/** How long requests may go on that the agent still has under way when it has answered. */
const GRACE_MS = 5000;

export interface WatchModelOptions {
  /** Where requests are really sent. */
  env: Record<string, string | undefined>;
  /** For a server that the user leads to this port; any free one if it is missing. */
  port?: number | undefined;
  forward?: Forward | undefined;
}

/** A recorder between agents and their models. */
export async function watchModel({ env, port, forward }: WatchModelOptions): Promise<Watcher> {
  const sessions = new TrialSessions<ModelSession>();
  const server = await startLoopbackServer({
    port: port ?? 0,
    onHttp2: () => {
      const words =
        'a request came by HTTP/2, which cannot be recorded. Bedrock in JavaScript sends such: use observe: otel';
      for (const each of sessions.all()) each.problems.push(words);
    },
    async handle(request, response) {
      const session = sessions.ofHeaders(request.headers);
      if (!session) {
        for (const each of sessions.all()) each.problems.push(`a request came without the header ${TRIAL_HEADER}`);
        return refuse(response, 409, 'nobody knows to which trial this request belongs.');
      }
      const recording = recordRequest(request, response, session, { env, forward });
      session.pending.add(recording);
      return recording.finally(() => session.pending.delete(recording));
    },
  });
  return {
    close: () => server.close(),
    async watch(config, run) {
      const end = new AbortController();
      using either = eitherSignal(config.signal, end.signal);
      const session = newSession(trialOf(config), either.signal);
      const trial = config.conversation?.id ?? randomUUID();
      // Awaited here, because the signal ends with this function.
      return await sessions.run(trial, session, config.whileWaiting ?? ((wait) => wait()), async () => {
        const keys = session.trial.tape?.mode === 'replay' ? placeholderKeys(env) : {};
        const given = { variables: { ...baseUrlVariables(server.origin, env), ...keys }, headers: trialHeaders(trial) };
        const outcome = await outcomeOf(() => run(given));
        await settled(session, () => end.abort());
        if (session.refusal) throw session.refusal.error;
        const place = port === undefined ? undefined : server.origin;
        // A recorder without a fixed port serves one trial, whose turns need not be told apart.
        const alone = port !== undefined && sessions.isAlone;
        const observation = observationOf(config, outcome, { session, alone, place });
        const observed = withObservation(config, outcome, observation);
        if (session.trial.tape?.mode !== 'replay') return observed;
        return { ...observed, latency_seconds: timeUnderWay(session.replayed) / 1000 };
      });
    },
  };
}

/** Waits for requests under way. Those that take long are given up. */
async function settled({ pending }: ModelSession, giveUp: () => void): Promise<void> {
  const timer = setTimeout(giveUp, GRACE_MS);
  while (pending.size > 0) await Promise.allSettled(pending);
  clearTimeout(timer);
}

function observationOf(
  config: AdapterConfig,
  { result }: TurnOutcome,
  { session, alone, place }: { session: ModelSession; alone: boolean; place: string | undefined },
): Observation {
  const exchanges = session.exchanges.toSorted((a, b) => a.start - b.start);
  const steps = exchanges.map(stepOfExchange);
  const joined = joinSteps({ what: 'the requests of the agent', steps, roots: [] }, joinOptions(config, result));
  const calls = exchanges.filter(({ target }) => target.api !== null);
  const answered = calls.filter(({ error, answer }) => error === null || answer !== null);
  const [problem = calls.length === 0 ? nothingRecorded(place, steps) : null] = [
    ...session.problems,
    ...joined.problems,
  ];
  return {
    by: 'model',
    joined,
    usage: sumUsage(answered.map(({ usage }) => usage)),
    costUsd: calls.length === 0 ? null : sumOrUnknown(exchanges.map(({ costUsd }) => costUsd)),
    alone,
    problem,
    outage: calls.at(-1)?.isOutage ? (calls.at(-1)?.error ?? null) : null,
  };
}

function nothingRecorded(place: string | undefined, others: readonly RecordedStep[]): string {
  if (others.length > 0) {
    const names = [...new Set(others.map(({ name }) => name))].slice(0, 3).join(', ');
    return `${formatPlural(others.length, 'request')} came to the recorder, and none to an API that Salvo reads (${names})`;
  }
  const checks =
    place === undefined
      ? `that the agent's SDK reads ${BASE_URL_VARIABLES.join(', ')}, and that its code sets no other base URL`
      : `that the server calls its model at ${place} (OpenAI: ${place}/v1)`;
  return `no request to a model was recorded. Check ${checks}`;
}
