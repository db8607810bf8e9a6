import { spanIdOf, traceIdOf } from './trial-sessions.ts';

/** The variables that lead the spans of an agent to a receiver, with the content of messages. */
export function otelVariables(
  origin: string,
  trial: string,
  env: Record<string, string | undefined>,
): Record<string, string> {
  // With the latest conventions the switch has other words.
  const isLatest = /\bgen_ai_latest_experimental\b/.test(env.OTEL_SEMCONV_STABILITY_OPT_IN ?? '');
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/v1/traces`,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${origin}/v1/logs`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '100',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: isLatest ? 'SPAN_AND_EVENT' : 'true',
    OPENINFERENCE_HIDE_INPUTS: 'false',
    OPENINFERENCE_HIDE_OUTPUTS: 'false',
    OPENINFERENCE_HIDE_INPUT_MESSAGES: 'false',
    OPENINFERENCE_HIDE_OUTPUT_MESSAGES: 'false',
    TRACELOOP_BASE_URL: origin,
    TRACELOOP_TRACE_CONTENT: 'true',
    TRACEPARENT: `00-${traceIdOf(trial)}-${spanIdOf(trial)}-01`,
  };
}
