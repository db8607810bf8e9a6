import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createOpenAiAdapter } from '../packages/salvo/src/adapters/openai/openai.ts';
import { judgeTrace } from '../packages/salvo/src/judge/judge-trace.ts';
import { buildJudgeMessages } from '../packages/salvo/src/judge/prompt/judge-messages.ts';
import { toolChoiceExtras } from '../packages/salvo/src/models/ask/tool-choice.ts';
import { createPricing } from '../packages/salvo/src/models/budget/prices.ts';
import { createLimiters } from '../packages/salvo/src/models/call/call-services.ts';
import { createModelCaller } from '../packages/salvo/src/models/call/model-caller.ts';
import { buildScoringTool } from '../packages/salvo/src/models/scoring/scoring-tool.ts';
import { traceFrom } from '../packages/salvo/src/trace/trace-from.ts';
import { judgedPart } from '../test/judged-part.ts';
import { median } from './measure-process.ts';

const SERVER = fileURLToPath(new URL('./chat-server.ts', import.meta.url));
const K = 3;
const TRIALS = 400;
const CONCURRENCY = 8;
const ROUNDS = 5;

const CRITERIA = [
  { name: 'polite', description: 'Is polite, and not at the expense of being clear.', weight: 1 },
  { name: 'helpful', description: 'Says what happens next.', weight: 2 },
  { name: 'honest', description: 'Claims nothing that the tools did not return.', weight: 1 },
];

/** CPU time that judging a trial takes beyond its calls: prompts, fences, reading the votes, counting them. */
export async function benchJudgeOverhead(): Promise<string[]> {
  const server = fork(SERVER, { stdio: 'inherit' });
  const [port] = await once(server, 'message');
  const options = { type: 'openai' as const, base_url: `http://127.0.0.1:${port}/judge/v1` };
  const context = { root: '.', adapters: { judge: options }, env: {} };
  const adapter = createOpenAiAdapter(options, context);
  const models = createModelCaller({ context, pricing: createPricing(), limiterOf: createLimiters(context) });
  const trace = traceFrom({
    task: 'Where is my order A-1001?',
    response: 'It has been shipped today. '.repeat(20),
  });
  const messages = buildJudgeMessages({ criteria: CRITERIA, part: judgedPart({ trace }), nonce: '0123456789abcdef' });
  const tools = [buildScoringTool(CRITERIA)];
  const config = {
    model: 'bench',
    temperature: 0,
    maxTokens: 1024,
    extras: toolChoiceExtras('openai', 'score_criteria'),
  };

  const onlyCalls = async (): Promise<void> => {
    await Promise.all(Array.from({ length: K }, () => adapter.sendTurn(messages, tools, config)));
  };
  const judged = async (): Promise<void> => {
    const { score } = await judgeTrace({
      trace,
      criteria: CRITERIA,
      judges: [{ adapter: 'judge', model: 'bench', weight: 1 }],
      k: K,
      threshold: 0.8,
      temperature: 0,
      maxTokens: 1024,
      models,
    });
    if (score === null) throw new Error('the votes of the benchmark could not be read');
  };
  try {
    const callsCpu: number[] = [];
    const judgedCpu: number[] = [];
    await cpuPerTrial(onlyCalls);
    await cpuPerTrial(judged);
    for (let round = 0; round < ROUNDS; round += 1) {
      callsCpu.push(await cpuPerTrial(onlyCalls));
      judgedCpu.push(await cpuPerTrial(judged));
    }
    const [ours, theirs] = [median(judgedCpu), median(callsCpu)];
    return [
      `a trial judged by ${K} votes ${ours.toFixed(0)} µs of CPU, the same ${K} calls alone ${theirs.toFixed(0)} µs: ${(ours / theirs).toFixed(2)}x, ${(ours - theirs).toFixed(0)} µs a trial for judging`,
    ];
  } finally {
    await models.close();
    server.kill();
  }
}

async function cpuPerTrial(perform: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  let left = TRIALS;
  const work = async (): Promise<void> => {
    while (left-- > 0) await perform();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TRIALS;
}
