import type { TrialResult } from '../../packages/salvo/src/trial/trial-result.ts';
import { type AnsweringServer, startAnsweringServer } from '../loopback/answering-server.ts';
import { anthropicMessage } from '../loopback/anthropic-wire.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { type CliResult, documentOf, runCli } from './cli-fixture.ts';

export const KEY = 'sk-test-0123456789abcdefghijkl';
export const CASSETTE = 'cassettes/refund.jsonl';

export const SALVO_YAML = `
default_adapter: openai
default_model: agent-model
prices:
  agent-model: { input_per_million: 1000, output_per_million: 0 }
  judge-model: { input_per_million: 100, output_per_million: 0 }
judge: { adapter: anthropic, model: judge-model }
`;

export const SCENARIO = `
name: refund
prompt: Refund order A-1.
trials: 3
tools:
  - name: refund
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    mock_response: { ok: true }
assertions:
  - { type: tool_called, tool: refund }
  - { path: response.content, contains: refunded }
  - { type: judge, k: 3, criteria: [{ name: polite, description: Says please., weight: 1 }] }
min_pass_rate: 0
`;

/**
 * A model that refunds in two turns and words every answer differently, a third of them wrongly, and a judge whose votes
 * differ. It speaks the formats of OpenAI and Anthropic.
 */
export function startModels({ failAfter = Number.POSITIVE_INFINITY } = {}): Promise<AnsweringServer> {
  return startAnsweringServer(({ path, body }, number) => {
    if (number > failAfter) return openAiError(401, { message: 'The key has expired.' });
    if (path.endsWith('/messages')) {
      const input = { polite: { score: (number % 10) / 10, reasoning: `vote ${number}` } };
      const content = [{ type: 'tool_use', id: `toolu_${number}`, name: 'score_criteria', input }];
      return anthropicMessage({ content, stopReason: 'tool_use' });
    }
    const secret = JSON.stringify(body).includes('the key') ? ` ${KEY}` : '';
    const hasResult = JSON.stringify(Object(body).messages).includes('tool_call_id');
    if (hasResult)
      return completion({ content: `Answer ${number}: ${number % 3 === 0 ? 'no' : 'refunded'}.${secret}` });
    return completion({ toolCalls: [{ id: `call_${number}`, name: 'refund', arguments: '{"id":"A-1"}' }] });
  });
}

/** The variables with which models can be called; of a server that is stopped, without keys. */
export function variables(server: Pick<AnsweringServer, 'url'> | null): Record<string, string> {
  const { url } = server ?? { url: 'http://127.0.0.1:9' };
  const key = server === null ? '' : KEY;
  const addresses = { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
  return { ...addresses, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, CI: '' };
}

export function salvo(project: ProjectFixture, server: AnsweringServer | null, args: string[], env = {}) {
  return runCli(args, { cwd: project.root, env: { ...variables(server), ...env } });
}

export function oneScenario(files: Record<string, string> = {}): Promise<ProjectFixture> {
  return projectFixture({ 'salvo.yaml': SALVO_YAML, 's.yaml': SCENARIO, ...files });
}

/** A project with a cassette, and what the run printed that recorded it. Its server is stopped. */
export async function recordedProject() {
  const project = await oneScenario();
  await using server = await startModels();
  const first = await salvo(project, server, ['run', 's.yaml', '--model-cassette', CASSETTE, '--json']);
  return { project, first, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}

/** What differs between two runs with the same answers: ids, measured times, and the address of the judge. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['trace_id', 'latency_seconds', 'judge_hash']);

/** The trials of all scenarios of a run, with everything that the answers decide. */
export function resultsOf(run: Pick<CliResult, 'stdout'>): TrialResult[] {
  const trials = documentOf(run).scenarios.flatMap((scenario) => scenario.trials);
  return JSON.parse(JSON.stringify(trials, (key, value) => (OF_ONE_RUN.has(key) ? undefined : value)));
}
