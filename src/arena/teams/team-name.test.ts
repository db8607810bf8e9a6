import { describe, expect, it, test } from 'vitest';
import { blueWithMode, parseTeamName } from './team-name.ts';

describe('the name of a Blue Team', () => {
  it('can be that of the rules, of a scanner or of a command', () => {
    expect(parseTeamName('rules')).toEqual({ kind: 'rules' });
    expect(parseTeamName(' checkov ')).toEqual({ kind: 'scanner', scanner: 'checkov' });
    expect(parseTeamName('command:scan +x {dir}')).toEqual({ kind: 'command', command: 'scan +x {dir}' });
  });

  it('can be that of a model, with the adapter or without', () => {
    expect(parseTeamName('llm:gpt-5')).toEqual({ kind: 'llm', adapter: 'openai', model: 'gpt-5' });
    expect(parseTeamName('llm:claude-x')).toEqual({ kind: 'llm', adapter: 'anthropic', model: 'claude-x' });
    expect(parseTeamName('llm:anthropic/claude-x')).toEqual({ kind: 'llm', adapter: 'anthropic', model: 'claude-x' });
    expect(parseTeamName('llm:local/qwen', { adapters: ['local'] })).toEqual({
      kind: 'llm',
      adapter: 'local',
      model: 'qwen',
    });
  });

  it('takes a slash for part of the model when there is no such adapter', () => {
    expect(parseTeamName('llm:meta/llama', { adapter: 'router' })).toEqual({
      kind: 'llm',
      adapter: 'router',
      model: 'meta/llama',
    });
    expect(parseTeamName('llm:openai/meta/llama')).toEqual({ kind: 'llm', adapter: 'openai', model: 'meta/llama' });
  });

  it('can be several, and a hybrid of models has the rules as well', () => {
    const model = { kind: 'llm', adapter: 'openai', model: 'gpt-5' };
    expect(parseTeamName('rules+trivy')).toEqual({
      kind: 'several',
      parts: [{ kind: 'rules' }, { kind: 'scanner', scanner: 'trivy' }],
    });
    expect(parseTeamName('hybrid:trivy+llm:gpt-5')).toEqual({
      kind: 'several',
      parts: [{ kind: 'scanner', scanner: 'trivy' }, model],
    });
    expect(parseTeamName('hybrid:llm:gpt-5')).toEqual({ kind: 'several', parts: [{ kind: 'rules' }, model] });
  });

  it('that nobody has is refused, with the one that was probably meant', () => {
    expect(() => parseTeamName('chekov')).toThrow(/no Blue Team "chekov". Did you mean "checkov"\?/);
    expect(() => parseTeamName('rules+trivvy')).toThrow(/Did you mean "trivy"\?/);
    for (const name of ['', 'llm:', 'llm:openai/', 'command: ', 'hybrid:', 'rules+', 'gpt-5']) {
      expect(() => parseTeamName(name)).toThrow(/Known are rules, checkov/);
    }
  });
});

describe('blueWithMode', () => {
  test.each([
    ['checkov+llm:m', undefined, 'checkov+llm:m'],
    ['checkov+llm:m', 'tools_only', 'checkov'],
    ['llm:m', 'tools_only', 'rules'],
    ['hybrid:checkov+llm:m', 'llm_only', 'llm:m'],
    ['llm:m', 'hybrid', 'hybrid:rules+llm:m'],
    ['trivy+llm:m', 'hybrid', 'hybrid:trivy+llm:m'],
    ['command:a+llm: {dir}', 'tools_only', 'command:a+llm: {dir}'],
  ] as const)('%j in mode %s is %j', (blue, mode, expected) => {
    expect(blueWithMode(blue, mode)).toBe(expected);
  });

  test.each(['llm_only', 'hybrid'] as const)('%s without a model is refused', (mode) => {
    expect(() => blueWithMode('rules', mode)).toThrow(/needs a model/);
  });
});
