import type { Exchange, Loopback, Reply } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import type { ProjectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** A cent for every vote of a thousand tokens; the agent costs nothing. */
export const salvoYaml = `
prices:
  judge-model: { input_per_million: 10, output_per_million: 0 }
  free: { input_per_million: 0, output_per_million: 0 }
judge: { model: judge-model }
`;
const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
/** A scenario with a judge, by its own fields and those of the assertion. */
export const judged = (changes: Record<string, unknown> = {}, scenario: Record<string, unknown> = {}) =>
  sampleScenario({ model: 'free', assertions: [{ type: 'judge', criteria, ...changes }], ...scenario });

export const vote = (score: number, key = 'polite'): Reply =>
  completion({
    toolCalls: [
      { id: 'c', name: 'score_criteria', arguments: JSON.stringify({ [key]: { score, reasoning: 'It begs.' } }) },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 },
  });
export const times = (count: number, reply: Reply): Exchange[] => Array.from({ length: count }, () => ({ reply }));

export function salvo(project: ProjectFixture, judge: Pick<Loopback, 'url'> | null, args: string[]) {
  return runCli(args, { cwd: project.root, env: judge ? { OPENAI_BASE_URL: `${judge.url}/v1` } : {} });
}
