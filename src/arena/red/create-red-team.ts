import { checkRedRequest } from './check-red-request.ts';
import { createLlmRed, type LlmRedOptions } from './llm/llm-red.ts';
import { createMutationRed } from './mutation/create-mutation-red.ts';
import type { RedOutcome, RedRequest, RedTeamAgent } from './red-team.ts';

/** `mutation` needs no model, and what it claims is true by construction. */
export type RedTeamOptions = { red?: 'mutation' | undefined } | ({ red: 'llm' } & LlmRedOptions);

/** What may be left out has a usual value. */
export type RedTeamRequest = Pick<RedRequest, 'scenario'> & Partial<RedRequest>;

export interface RedTeam extends RedTeamAgent {
  generate(request: RedTeamRequest): Promise<RedOutcome>;
}

/**
 * The Red Team of a game.
 *
 *     const { files, vulnerabilities } = await createRedTeamAgent().generate({ scenario: 'tamper-proof-archive' });
 */
export function createRedTeamAgent(options: RedTeamOptions = {}): RedTeam {
  const agent = options.red === 'llm' ? createLlmRed(options) : createMutationRed();
  return {
    name: agent.name,
    async generate(request) {
      const whole = { ...USUAL, ...withoutUndefined(request) };
      checkRedRequest(whole);
      return agent.generate(whole);
    },
  };
}

const USUAL = { difficulty: 'medium', language: 'terraform', provider: 'aws', seed: 0, strategy: 'balanced' } as const;

/** What is undefined is left out as well. */
function withoutUndefined(request: RedTeamRequest): RedTeamRequest {
  const { scenario, ...others } = request;
  return { scenario, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) };
}
