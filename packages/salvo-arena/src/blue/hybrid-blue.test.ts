import { describe, expect, it } from 'vitest';
import type { Finding } from '../match/claims/finding.ts';
import type { BlueMetadata, BlueTeam } from './blue-team.ts';
import { toolMetadata } from './blue-team.ts';
import { BlueTeamError } from './blue-team-error.ts';
import { createHybridBlue } from './hybrid-blue.ts';

const OPEN: Finding = { type: 'network', resource: 'aws_security_group.web', title: 'SSH is open to the world' };
const PLAIN: Finding = { type: 'encryption', resource: 'aws_db_instance.db', title: 'Storage is not encrypted' };

function team(name: string, findings: Finding[], metadata: Partial<BlueMetadata> = {}): BlueTeam {
  return { name, analyze: async () => ({ findings, metadata: { ...toolMetadata(name), ...metadata } }) };
}

const MODEL = { mode: 'llm_only', model_calls: 2, input_tokens: 10, output_tokens: 5, cost_usd: 0.5 } as const;

describe('a hybrid Blue', () => {
  it('reports each flaw once, with the teams that found it', async () => {
    const blue = createHybridBlue([team('rules', [OPEN, PLAIN], { cost_usd: null }), team('llm:m', [PLAIN], MODEL)]);
    const { findings, metadata } = await blue.analyze({ files: {} });
    expect(findings).toEqual([
      { ...OPEN, source: 'rules' },
      { ...PLAIN, source: 'rules+llm:m', confidence: 0.75 },
    ]);
    expect(metadata).toEqual({
      ...MODEL,
      blue: 'rules+llm:m',
      mode: 'hybrid',
      dropped: [{ reason: 'another Blue Team reported it as well', count: 1 }],
    });
  });

  it('of tools has the mode tools_only, and an unknown sum when one part is unknown', async () => {
    const blue = createHybridBlue([team('a', []), team('b', [], { cost_usd: null, model_calls: 1 })]);
    expect((await blue.analyze({ files: {} })).metadata).toMatchObject({
      mode: 'tools_only',
      cost_usd: null,
      dropped: [],
    });
  });

  it('fails when one of its teams fails', async () => {
    const broken: BlueTeam = {
      name: 'x',
      analyze: () => Promise.reject(new BlueTeamError('SCANNER_FAILED', 'x broke')),
    };
    await expect(createHybridBlue([team('a', [OPEN]), broken]).analyze({ files: {} })).rejects.toThrow('x broke');
  });
});
