import { isOutageStatus, NETWORK_CODE } from '../call/outage-signs.ts';

/** Exit code of a program that failed for a passing reason (`EX_TEMPFAIL` of BSD's sysexits). */
export const EXIT_TEMPORARY_FAILURE = 75;

const TRACEBACK = 'Traceback (most recent call last):';
/** Python's words for `raise ... from error`. An exception that only happened while another was handled is a mistake. */
const DIRECT_CAUSE = 'The above exception was the direct cause of the following exception:';

/** Exceptions of Python that need no status to be trouble with a provider or the network, by the end of their name. */
const OUTAGE_NAMES: ReadonlySet<string> = new Set([
  ...['APIConnectionError', 'APITimeoutError', 'RateLimitError', 'InternalServerError', 'ServiceUnavailableError'],
  ...['AuthenticationError', 'PermissionDeniedError', 'OverloadedError', 'DeadlineExceededError'],
  ...['ConnectError', 'ConnectTimeout', 'ReadError', 'ReadTimeout', 'PoolTimeout', 'RemoteProtocolError'],
  ...['ConnectionError', 'ConnectionRefusedError', 'ConnectionResetError', 'ConnectionAbortedError', 'SSLError'],
  ...['NewConnectionError', 'MaxRetryError', 'ProtocolError', 'ReadTimeoutError', 'ConnectTimeoutError', 'gaierror'],
  ...['ClientConnectorError', 'ServerDisconnectedError', 'ServerTimeoutError', 'ClientOSError'],
  ...['ServiceUnavailable', 'ResourceExhausted', 'TooManyRequests', 'DeadlineExceeded', 'GatewayTimeout', 'BadGateway'],
  ...['Unauthenticated', 'EndpointConnectionError', 'NoCredentialsError', 'ThrottlingException', 'ThrottledException'],
  ...['ModelThrottledException', 'RemoteDisconnected', 'URLError'],
]);

/** Exceptions with an HTTP status in their message. */
const STATUS_NAME = /(?:HTTP|Status|API|Server|Client|Response|Model)\w{0,40}Error$|HTTPException$/i;

/**
 * What a provider or the network said, if an uncaught error at the end of a program's stderr names it as the cause:
 * a traceback of Python, or an error of Node. Undefined if it says nothing of the kind.
 */
export function outageInStderr(stderr: string): string | undefined {
  return outageInTraceback(stderr) ?? outageInNodeError(stderr);
}

function outageInTraceback(stderr: string): string | undefined {
  const parts = stderr.split(TRACEBACK);
  if (parts.length < 2) return undefined;
  for (const part of parts.slice(1).reverse()) {
    // Frames are indented; the exception is the first line after them.
    const exception = part.split('\n').find((line) => /^\w/.test(line));
    const [, name = '', message = ''] = /^([\w.]+)(?::\s*(.*))?$/s.exec(exception?.trimEnd() ?? '') ?? [];
    if (isOutage(name, message)) return message === '' ? name : `${name}: ${message}`;
    const before = stderr.slice(0, stderr.lastIndexOf(TRACEBACK + part)).trimEnd();
    if (!before.endsWith(DIRECT_CAUSE)) return undefined;
  }
  return undefined;
}

function isOutage(name: string, message: string): boolean {
  const last = name.split('.').at(-1) ?? '';
  const status = Number(/\b([45]\d\d)\b/.exec(message)?.[1]);
  if (STATUS_NAME.test(last) && status) return isOutageStatus(status);
  return OUTAGE_NAMES.has(last) || /^\[Errno \d+\] Connection refused/.test(message);
}

/** Node prints an uncaught error with its stack, the fields of the error below, and its own version at the end. */
function outageInNodeError(stderr: string): string | undefined {
  const lines = stderr.trimEnd().split('\n');
  if (!/^Node\.js v\d/.test(lines.at(-1) ?? '')) return undefined;
  const start = lines.findIndex(
    (line, index) => /^\w{0,60}Error\b/.test(line) && lines[index + 1]?.startsWith('    at '),
  );
  if (start < 0) return undefined;
  const fields = lines.slice(start + 1).filter((line) => !line.startsWith('    at '));
  const valuesOf = (field: RegExp) => fields.flatMap((line) => field.exec(line)?.[1] ?? []);
  const statuses = valuesOf(/^ {1,40}(?:status|statusCode): (\d{3})\b/).map(Number);
  const codes = valuesOf(/^ {1,40}code: '(\w{1,60})'/);
  const isOutage = statuses.some(isOutageStatus) || codes.some((code) => NETWORK_CODE.test(code));
  return isOutage ? lines[start] : undefined;
}
