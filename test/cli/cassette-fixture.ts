import { type AnsweringServer, startAnsweringServer } from '../loopback/answering-server.ts';
import { anthropicMessage } from '../loopback/anthropic-wire.ts';
import { completion } from '../loopback/openai-wire.ts';
import type { ProjectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

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
export function startModels(): Promise<AnsweringServer> {
  return startAnsweringServer(({ path, body }, number) => {
    if (path.endsWith('/messages')) {
      const input = { polite: { score: (number % 10) / 10, reasoning: `vote ${number} knows ${KEY}` } };
      const content = [{ type: 'tool_use', id: `toolu_${number}`, name: 'score_criteria', input }];
      return anthropicMessage({ content, stopReason: 'tool_use' });
    }
    const hasResult = JSON.stringify(Object(body).messages).includes('tool_call_id');
    if (hasResult) return completion({ content: `Answer ${number}: ${number % 3 === 0 ? 'no' : 'refunded'}. ${KEY}` });
    return completion({ toolCalls: [{ id: `call_${number}`, name: 'refund', arguments: '{"id":"A-1"}' }] });
  });
}

/** The variables with which models can be called; without a server, what a machine without keys has. */
export function variables(server: Pick<AnsweringServer, 'url'> | null): Record<string, string> {
  if (server === null) return {};
  return {
    ...{ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: KEY },
    ...{ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
  };
}

export function salvo(project: ProjectFixture, server: AnsweringServer | null, args: string[], env = {}) {
  const keys = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', CI: '' };
  return runCli(args, { cwd: project.root, env: { ...keys, ...variables(server), ...env } });
}
