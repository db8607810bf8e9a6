import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Destination } from './send-trials.ts';

type Environment = Record<string, string | undefined>;

/** A receiver of OpenTelemetry, with the settings that every exporter takes from the environment. */
export function otlpDestination(address: string, env: Environment): Destination {
  const seconds = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000) / 1000;
  return {
    url: urlAt(address, 'v1/traces', 'otel', 'OTEL_EXPORTER_OTLP_HEADERS'),
    headers: otlpHeaders(env),
    gzip: (env.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? env.OTEL_EXPORTER_OTLP_COMPRESSION) === 'gzip',
    timeoutSeconds: seconds > 0 && seconds < 3600 ? seconds : 10,
    envelope: ['{"resourceSpans":[', ']}'],
    refusals: otlpRefusals,
  };
}

/** Langfuse, with the keys that its own SDKs take from the environment. */
export function langfuseDestination(address: string, env: Environment): Destination {
  const { LANGFUSE_PUBLIC_KEY: user = '', LANGFUSE_SECRET_KEY: password = '' } = env;
  if (user === '' || password === '') {
    throw new SalvoError(
      'OPTIONS_INVALID',
      'To send trials to Langfuse, set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY to the keys of your project.',
    );
  }
  const url = urlAt(address, 'api/public/ingestion', 'langfuse', 'LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY');
  return {
    url,
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    ...{ gzip: false, timeoutSeconds: 30, envelope: ['{"batch":[', ']}'], refusals: langfuseRefusals },
  };
}

/** The address with the path of the API, unless it ends with it. */
function urlAt(address: string, path: string, option: string, variables: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new SalvoError('OPTIONS_INVALID', `The address of {option:${option}} is not a URL.`);
  if (url.username !== '' || url.password !== '') {
    const advice = `Remove them, and set ${variables} instead.`;
    throw new SalvoError(
      'OPTIONS_INVALID',
      `The address of {option:${option}} has a user name or a password in it. ${advice}`,
    );
  }
  const folder = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  if (!folder.endsWith(`/${path}/`)) url.pathname = `${folder}${path}`;
  return url;
}

/** `name=value,name=value`, with values as in a URL. */
function otlpHeaders(env: Environment): Record<string, string> {
  const name = env.OTEL_EXPORTER_OTLP_TRACES_HEADERS
    ? 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'
    : 'OTEL_EXPORTER_OTLP_HEADERS';
  const pairs = (env[name] ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map((pair) => headerOf(pair, name)));
}

function headerOf(pair: string, variable: string): [string, string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  try {
    const value = decodeURIComponent(pair.slice(at + 1).trim());
    // Throws if one of them cannot be sent.
    new Headers([[name, value]]);
    return [name, value];
  } catch (cause) {
    // The text of the pair may be a key.
    const words = `${variable} is not a list of headers: write it as name=value,name=value.`;
    throw new SalvoError('OPTIONS_INVALID', words, { cause });
  }
}

function otlpRefusals(answer: unknown): { count: number; why: string }[] {
  const partial = isRecord(answer) ? (answer.partialSuccess ?? answer.partial_success) : undefined;
  if (!isRecord(partial)) return [];
  const count = Number(partial.rejectedSpans ?? partial.rejected_spans ?? 0);
  const why = partial.errorMessage ?? partial.error_message;
  return count > 0 ? [{ count, why: typeof why === 'string' && why !== '' ? why : 'no reason is given' }] : [];
}

function langfuseRefusals(answer: unknown): { count: number; why: string }[] {
  const errors = isRecord(answer) && Array.isArray(answer.errors) ? answer.errors.filter(isRecord) : [];
  return errors.map(({ status, message, error }) => {
    const words = [message, typeof error === 'string' ? error : undefined].filter((word) => typeof word === 'string');
    return {
      count: 1,
      why: `status ${Number(status)}: ${words.length === 0 ? 'no reason is given' : words.join(': ')}`,
    };
  });
}
