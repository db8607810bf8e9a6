import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AdapterTurnResult } from '../packages/salvo/src/adapters/adapter.ts';
import { createOpenAiAdapter } from '../packages/salvo/src/adapters/openai/openai.ts';
import { median } from './measure-process.ts';

const SERVER = fileURLToPath(new URL('./chat-server.ts', import.meta.url));
const CALLS = 1500;
const CONCURRENCY = 16;
const ROUNDS = 5;

/** CPU time a model call takes in this process, through the openai adapter and through a bare fetch. */
export async function benchModelCall(): Promise<string[]> {
  const server = fork(SERVER, { stdio: 'inherit' });
  const [port] = await once(server, 'message');
  const base = `http://127.0.0.1:${port}/v1`;
  const adapter = createOpenAiAdapter({ type: 'openai', base_url: base }, { root: '.', adapters: {}, env: {} });
  const prompt = 'Where is my order? '.repeat(20);
  const viaAdapter = (): Promise<AdapterTurnResult> =>
    adapter.sendTurn([{ role: 'user', content: prompt }], [], { model: 'bench', temperature: 0 });
  const viaFetch = async (): Promise<unknown> => {
    const response = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify({ model: 'bench', temperature: 0, messages: [{ role: 'user', content: prompt }] }),
    });
    return response.json();
  };
  try {
    const adapterCpu: number[] = [];
    const fetchCpu: number[] = [];
    await cpuPerCall(viaFetch);
    await cpuPerCall(viaAdapter);
    for (let round = 0; round < ROUNDS; round += 1) {
      fetchCpu.push(await cpuPerCall(viaFetch));
      adapterCpu.push(await cpuPerCall(viaAdapter));
    }
    const [ours, theirs] = [median(adapterCpu), median(fetchCpu)];
    return [
      `openai adapter ${ours.toFixed(0)} µs of CPU a call, bare fetch ${theirs.toFixed(0)} µs: ${(ours / theirs).toFixed(2)}x (aim: at most 2x)`,
    ];
  } finally {
    server.kill();
  }
}

async function cpuPerCall(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  let left = CALLS;
  const work = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
