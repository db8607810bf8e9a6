import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../secrets/redactor.ts';
import { adapterErrorFromSdk } from './sdk-error.ts';

const KEY = 'sk-very-secret-key';
const errorFrom = (error: unknown, isAnswered = false, credential: 'key' | 'header' | 'none' = 'key') =>
  adapterErrorFromSdk({
    error,
    isAnswered,
    provider: 'openai',
    model: 'gpt-4o',
    keyVariable: 'MY_KEY',
    credential,
    redact: createRedactor({ customPatterns: [], secrets: [KEY] }).text,
  });

describe('an error of an SDK', () => {
  it('never shows the key, not even as its cause, when the key itself cannot be sent', () => {
    const error = errorFrom(new TypeError(`Headers.append: "Bearer ${KEY}" is an invalid header value.`));
    expect(error).toMatchObject({ kind: 'bad_request', retryable: false });
    expect(error.cause).toBeUndefined();
    expect(`${error.stack}`).not.toContain(KEY);
  });

  it('is a connection error, with the reason of the network, when the network is its cause', () => {
    const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:11434')]);
    const wrapped = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(errorFrom(wrapped)).toMatchObject({
      kind: 'connection',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('says whether the request could not be sent or the answer could not be read', () => {
    const error = new RangeError('Cannot create a string longer than 0x1fffffe8 characters');
    expect(errorFrom(error).message).toContain('The request to openai could not be sent: ');
    expect(errorFrom(error, true)).toMatchObject({
      kind: 'bad_response',
      retryable: false,
      message: expect.stringContaining('The answer of openai could not be read: Cannot create'),
    });
  });

  it.each([
    ['key', 'openai refused the key in MY_KEY (401): no'],
    ['header', 'openai refused the header that is sent instead of a key (401): no'],
    ['none', 'openai wants a key, and none was sent: set MY_KEY (401): no'],
  ] as const)('names what was refused: %s', (credential, message) => {
    const error = Object.assign(new Error('no'), { status: 401 });
    expect(errorFrom(error, false, credential)).toMatchObject({ kind: 'auth', message });
  });

  it.each([undefined, null, 'text', 42, { status: 'x' }])('may be any value: %s', (thrown) => {
    expect(errorFrom(thrown).kind).toBe('bad_response');
  });

  it('says that a request does not fit in the context of the model, which is not tried again', () => {
    const body = { error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } };
    const error = Object.assign(new Error('400'), { status: 400, error: body });
    expect(errorFrom(error)).toMatchObject({
      kind: 'context_length',
      code: 'ADAPTER_CONTEXT_LENGTH',
      retryable: false,
      message:
        'The request is too long for the model "gpt-4o" of openai (400): prompt is too long: 9 tokens > 8 maximum',
    });
  });

  it('quotes only one line of a page', () => {
    const error = Object.assign(new Error(`502 ${'<p>\n'.repeat(1_000_000)}`), { status: 502 });
    const { message } = errorFrom(error);
    expect(message.length).toBeLessThan(500);
    expect(message).not.toContain('\n');
  });
});
