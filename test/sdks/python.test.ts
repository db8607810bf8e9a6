import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { expectShopTrace, runShop } from './shop.ts';
import { startShopModel } from './shop-model.ts';

const AGENT = fileURLToPath(new URL('../../examples/sdks/python-openai/agent.py', import.meta.url));

function hasPython(): boolean {
  try {
    return execFileSync('python3', ['--version']).includes('Python 3');
  } catch {
    return false;
  }
}

/** The example as a server, on a port that is free. */
async function startServer(env: NodeJS.ProcessEnv) {
  const server = spawn('python3', [AGENT, '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface(server.stdout), 'line');
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

const program = {
  ...{ type: 'exec' as const, command: ['python3', AGENT], messages_as: 'openai' as const },
  env: ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
};

describe.skipIf(!hasPython())('an agent in Python, if there is python3', () => {
  test('as a program', async () => {
    await using model = await startShopModel({ name: 'gpt-6-luna' });
    const env = { ...process.env, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'none' };
    const trial = await runShop(program, { policy: 'mocked', env });
    expect(trial).toMatchObject({ status: 'passed', error_message: null });
    expectShopTrace(trial.trace, { model: 'gpt-6-luna', policy: 'mocked' });
  });

  test('as a server', async () => {
    await using model = await startShopModel({ name: 'gpt-6-luna' });
    await using server = await startServer({ ...process.env, OPENAI_BASE_URL: `${model.url}/v1` });
    const trial = await runShop({ type: 'http', url: server.url, messages_as: 'openai' }, { policy: 'mocked' });
    expect(trial).toMatchObject({ status: 'passed', error_message: null });
    expectShopTrace(trial.trace, { model: 'gpt-6-luna', policy: 'mocked' });
  });

  test('as a program whose model never answers', async () => {
    await using model = await startAnsweringServer(() => 'hang');
    const env = { ...process.env, OPENAI_BASE_URL: `${model.url}/v1` };
    const trial = await runShop(program, { policy: 'mocked', env, timeoutSeconds: 1 });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TRIAL_TIMEOUT' });
    // The process has ended, and its request with it.
    await expect.poll(() => model.unanswered()).toBe(model.requests());
  });

  test('as a server whose model never answers', async () => {
    await using model = await startAnsweringServer(() => 'hang');
    await using server = await startServer({ ...process.env, OPENAI_BASE_URL: `${model.url}/v1` });
    const http = { type: 'http' as const, url: server.url, messages_as: 'openai' as const };
    const trial = await runShop(http, { policy: 'mocked', timeoutSeconds: 0.4 });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TRIAL_TIMEOUT' });
  });
});
