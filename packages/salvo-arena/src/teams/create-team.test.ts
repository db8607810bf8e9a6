import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBlue } from './create-team.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a Blue Team by name', () => {
  it('has the name that it was asked for by', () => {
    const names = ['rules', 'checkov', 'llm:gpt-5', 'command:scan {dir}', 'rules+trivy'];
    expect(names.map((name) => createBlue(name).name)).toEqual(names);
    expect(createBlue('hybrid:llm:anthropic/claude-x').name).toBe('rules+llm:claude-x');
  });

  it('is refused at once when it could never play', () => {
    expect(() => createBlue('chekov')).toThrow(/Did you mean "checkov"\?/);
    expect(() => createBlue('llm:gpt-5', { technique: 'targeted' })).toThrow(/needs a category/);
    expect(() => createBlue('command:scan')).toThrow(/put \{dir\}/);
  });

  it('that is a model without a key fails when it is called', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    vi.stubEnv('OPENAI_BASE_URL', '');
    await expect(createBlue('llm:gpt-5').analyze({ files: { 'main.tf': 'locals {}' } })).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
  });
});
