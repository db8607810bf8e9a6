import { randomUUID } from 'node:crypto';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { type JoinedSteps, joinSteps } from '../../trace/forms/recorded/join-steps.ts';
import { traceOfSpans } from '../../trace/forms/recorded/otel-spans.ts';
import type { RecordedStep } from '../../trace/forms/recorded/recorded-step.ts';
import { sumUsage } from '../../trace/forms/usage.ts';
import type { AdapterConfig } from '../adapter.ts';
import { startLoopbackServer } from './loopback-server.ts';
import type { Observation } from './observation.ts';
import { joinOptions, outcomeOf, type TurnOutcome, trialOf, type Watcher, withObservation } from './observed-turn.ts';
import { otelVariables } from './otel-variables.ts';
import { isWholeTrace, newSpanSession, receiveOtlp, type SpanSession, spansWithLogs } from './otlp-receiver.ts';
import { spanIdOf, TrialSessions, trialHeaders } from './trial-sessions.ts';

/** How long late spans are waited for, and how long none may come until all are taken to be there. */
const LATE_MS = 5000;
const QUIET_MS = 300;

const GRPC =
  "an exporter sent its spans by gRPC, which is not received. Use the exporter for HTTP: OTEL_EXPORTER_OTLP_PROTOCOL is set to http/protobuf, but the agent's code chooses another one";

export interface WatchOtelOptions {
  env: Record<string, string | undefined>;
  port?: number | undefined;
  /** The agent's process has ended when it has answered, so that nothing can come any more. */
  endsWithTurn: boolean;
}

/** A receiver of spans. */
export async function watchOtel({ env, port, endsWithTurn }: WatchOtelOptions): Promise<Watcher> {
  const sessions = new TrialSessions<SpanSession>();
  const pending = new Set<Promise<void>>();
  const server = await startLoopbackServer({
    port: port ?? 0,
    onHttp2: () => {
      for (const each of sessions.all()) each.problems.push(GRPC);
    },
    handle(request, response) {
      const receiving = receiveOtlp(request, response, sessions);
      pending.add(receiving);
      return receiving.finally(() => pending.delete(receiving));
    },
  });
  const variables = (trial: string) => otelVariables(server.origin, trial, env);
  return {
    close: () => server.close(),
    async watch(config, run) {
      const session = newSpanSession();
      const trial = config.conversation?.id ?? randomUUID();
      const whileWaiting = config.whileWaiting ?? ((wait) => wait());
      return sessions.run(trial, session, whileWaiting, async () => {
        const outcome = await outcomeOf(() => run({ variables: variables(trial), headers: trialHeaders(trial) }));
        await whileWaiting<unknown>(() =>
          endsWithTurn ? Promise.allSettled(pending) : lateSpans(session, trial, config.signal),
        );
        const alone = port !== undefined && sessions.isAlone;
        return withObservation(config, outcome, await observationOf(config, outcome, { session, alone }));
      });
    },
  };
}

/** Waits until all spans are there. */
async function lateSpans(session: SpanSession, trial: string, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, LATE_MS);
  let quiet: NodeJS.Timeout | undefined;
  session.onReceived = () => {
    clearTimeout(quiet);
    if (isWholeTrace(session, spanIdOf(trial))) quiet = setTimeout(resolve, QUIET_MS);
  };
  session.onReceived();
  signal?.addEventListener('abort', () => resolve(), { once: true });
  if (signal?.aborted) resolve();
  await promise;
  clearTimeout(late);
  clearTimeout(quiet);
}

async function observationOf(
  config: AdapterConfig,
  { result }: TurnOutcome,
  { session, alone }: { session: SpanSession; alone: boolean },
): Promise<Observation> {
  const { steps } = traceOfSpans(spansWithLogs(session));
  const priced = await Promise.all(steps.map((step) => withPrice(step, config)));
  const joined = joinedOf(priced, joinOptions(config, result));
  const answered = joined.steps.filter(({ error, usage }) => error === null || usage !== null);
  const [problem = missing(session, steps)] = [...session.problems, ...joined.problems];
  return {
    by: 'otel',
    joined,
    usage: sumUsage(answered.map(({ usage }) => usage)),
    costUsd: answered.length === 0 ? null : sumOrUnknown(answered.map(({ costUsd }) => costUsd)),
    alone,
    problem,
    // A span does not say whose fault an error was.
    outage: null,
  };
}

function joinedOf(steps: RecordedStep[], options: { final: string | null; idPrefix: string }): JoinedSteps {
  try {
    return joinSteps({ what: 'the spans', steps, roots: [] }, options);
  } catch (error) {
    // Spans that are each other's parents.
    if (!(error instanceof FormError)) throw error;
    return { messages: [], steps: [], conversations: 0, problems: [error.message] };
  }
}

async function withPrice(step: RecordedStep, config: AdapterConfig): Promise<RecordedStep> {
  if (step.kind !== 'model' || step.model === null) return step;
  return { ...step, cost_usd: await trialOf(config).price({ provider: 'otel', model: step.model, usage: step.usage }) };
}

/** Why calls of tools are not known; null if spans have them. */
function missing({ spans }: SpanSession, steps: readonly RecordedStep[]): string | null {
  if (spans.length === 0) {
    return "no spans were received. Check that the agent's OpenTelemetry SDK exports spans by OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT, and that it sends them before the agent ends (forceFlush, shutdown)";
  }
  const models = steps.filter(({ kind }) => kind === 'model');
  const tools = steps.filter(({ kind }) => kind === 'tool');
  if (models.length === 0 && tools.length === 0) {
    return `${spans.length} spans were received, and none of them is of a model or a tool. Check that the SDK of the agent's model is instrumented`;
  }
  if (tools.length === 0 && models.every(({ output }) => output === null)) {
    return 'the spans of the model have no messages. Check that its instrumentation records their content (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)';
  }
  return null;
}
