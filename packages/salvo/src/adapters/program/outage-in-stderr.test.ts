import { expect, test } from 'vitest';
import { outageInStderr } from './outage-in-stderr.ts';

const FRAMES = '  File "/app/agent.py", line 12, in <module>\n    answer = ask()\n             ^^^^^\n';
const traceback = (exception: string) => `Traceback (most recent call last):\n${FRAMES}${exception}\n`;
const CAUSE = '\nThe above exception was the direct cause of the following exception:\n\n';
const CONTEXT = '\nDuring handling of the above exception, another exception occurred:\n\n';

test.each([
  "openai.InternalServerError: Error code: 503 - {'error': {'message': 'overloaded'}}",
  'openai.APIConnectionError: Connection error.',
  "openai.RateLimitError: Error code: 429 - {'error': {'message': 'slow down'}}",
  "anthropic.APIStatusError: Error code: 529 - {'type': 'error'}",
  'anthropic.APITimeoutError: Request timed out.',
  'httpx.ConnectError: [Errno 111] Connection refused',
  "httpx.HTTPStatusError: Server error '500 Internal Server Error' for url 'http://127.0.0.1/v1'\nFor more information check: https://example.com",
  'requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: http://127.0.0.1/',
  "requests.exceptions.ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=9): Max retries exceeded",
  'urllib.error.HTTPError: HTTP Error 500: Internal Server Error',
  'urllib.error.URLError: <urlopen error [Errno 111] Connection refused>',
  'ConnectionRefusedError: [Errno 111] Connection refused',
  "google.genai.errors.ServerError: 503 UNAVAILABLE. {'error': {'code': 503}}",
  'google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded',
  'pydantic_ai.exceptions.ModelHTTPError: status_code: 503, model_name: m, body: None',
  'litellm.exceptions.RateLimitError: litellm.RateLimitError: slow down',
  'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL',
  'aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host 127.0.0.1:9',
  'socket.gaierror: [Errno -2] Name or service not known',
])('%s is an outage', (exception) => {
  expect(outageInStderr(`starting\n${traceback(exception)}`)).toBe(exception.split('\n')[0]);
});

test.each([
  "KeyError: 'choices'",
  'ValueError: expected 503 rows, got 500',
  'AssertionError',
  'urllib.error.HTTPError: HTTP Error 404: Not Found',
  "openai.BadRequestError: Error code: 400 - {'error': {'message': 'unknown parameter'}}",
  'app.ServerNotReadyError: no port',
])('%s is a crash', (exception) => {
  expect(outageInStderr(traceback(exception))).toBeUndefined();
});

test('an error that is raised from an outage is one, and a mistake while one was handled is not', () => {
  const outage = traceback('openai.APIConnectionError: Connection error.');
  const own = traceback('RuntimeError: the agent gave up');
  expect(outageInStderr(outage + CAUSE + own)).toBe('openai.APIConnectionError: Connection error.');
  expect(outageInStderr(outage + CONTEXT + traceback("KeyError: 'x'"))).toBeUndefined();
  expect(outageInStderr(outage + CONTEXT + own + CAUSE + own)).toBeUndefined();
});

test('an error of Node has its fields below its stack', () => {
  const uncaught = (fields: string) =>
    `file:///app/agent.js:3\nthrow error;\n^\n\nError: 503 overloaded\n    at ask (file:///app/agent.js:3:9)\n    at file:///app/agent.js:9:1 {\n${fields}\n}\n\nNode.js v24.1.0`;
  expect(outageInStderr(uncaught('  status: 503,\n  headers: {}'))).toBe('Error: 503 overloaded');
  expect(outageInStderr(uncaught("  [cause]: Error: refused {\n    code: 'ECONNREFUSED'\n  }"))).toBe(
    'Error: 503 overloaded',
  );
  expect(outageInStderr(uncaught('  status: 400'))).toBeUndefined();
  expect(outageInStderr(uncaught("  code: 'ERR_INVALID_ARG_TYPE'"))).toBeUndefined();
});

test('text without an error says nothing, however long it is', () => {
  expect(outageInStderr('')).toBeUndefined();
  expect(outageInStderr('ConnectionError: retrying\nTraceback (most recent call last):')).toBeUndefined();
  expect(outageInStderr(`Error: x\n${'    at x\n'.repeat(2000)}`)).toBeUndefined();
});
