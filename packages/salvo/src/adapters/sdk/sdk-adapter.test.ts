import { expect, test, vi } from 'vitest';
import { createSdkAdapter } from './sdk-adapter.ts';

function adapterWith(connect: () => Promise<object>) {
  return createSdkAdapter({
    options: { type: 'openai', timeout_seconds: 1 },
    env: { OPENAI_API_KEY: 'key-of-a-test' },
    connect,
    request: async () => Response.json({}),
    readTurn: () => ({ content: 'Done.', tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null }),
  });
}

test('the SDK is loaded when the adapter is prepared, and once', async () => {
  const connect = vi.fn(async () => ({}));
  const adapter = adapterWith(connect);
  await adapter.prepare?.();
  expect(connect).toHaveBeenCalledOnce();
  await adapter.sendTurn([], [], { model: 'm' });
  expect(connect).toHaveBeenCalledOnce();
});

test('an SDK that cannot be loaded is reported by the first turn', async () => {
  const adapter = adapterWith(() => Promise.reject(new Error('no package')));
  await adapter.prepare?.();
  await expect(adapter.sendTurn([], [], { model: 'm' })).rejects.toThrow('no package');
});
