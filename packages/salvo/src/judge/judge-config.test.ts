import { describe, expect, it } from 'vitest';
import { projectSchema } from '../scenario/schema/project-schema.ts';
import { resolveJudgeConfig } from './judge-config.ts';

const defaults = {
  judge_adapter: 'openai',
  judge_model: 'gpt-4o-mini',
  k: 3,
  temperature: 0,
  max_tokens: 1024,
  threshold: 0.8,
};
const project = {
  adapter: 'anthropic',
  model: 'claude',
  k: 5,
  temperature: 0.5,
  max_tokens: 512,
  default_threshold: 0.7,
};

describe('resolveJudgeConfig', () => {
  it('test_resolve_judge_config_defaults: apply when nothing is set', () => {
    expect(resolveJudgeConfig({})).toEqual(defaults);
    expect(resolveJudgeConfig({}, {})).toEqual(defaults);
  });

  it('test_resolve_judge_config_assertion_override: the assertion comes first, field by field', () => {
    expect(resolveJudgeConfig({ type: 'judge', judge_model: 'gpt-4o', k: 1 }, project)).toEqual({
      judge_adapter: 'anthropic',
      judge_model: 'gpt-4o',
      k: 1,
      temperature: 0.5,
      max_tokens: 512,
      threshold: 0.7,
    });
    const all = {
      judge_adapter: 'llama',
      judge_model: 'm',
      k: 21,
      temperature: 0,
      max_tokens: 1,
      threshold: 0,
    };
    expect(resolveJudgeConfig(all, project)).toEqual(all);
  });

  it('test_resolve_judge_config_project_override: the project comes before the defaults, field by field', () => {
    expect(resolveJudgeConfig({}, project)).toEqual({
      judge_adapter: 'anthropic',
      judge_model: 'claude',
      k: 5,
      temperature: 0.5,
      max_tokens: 512,
      threshold: 0.7,
    });
    expect(resolveJudgeConfig({}, { model: 'gpt-4o' })).toEqual({ ...defaults, judge_model: 'gpt-4o' });
  });

  it('leaves models that reason enough tokens for it', () => {
    const tokens = (model: string) => resolveJudgeConfig({ judge_model: model }).max_tokens;
    const reasoning = [
      'gpt-6-luna',
      'openai/gpt-5.6-sol',
      'o3',
      'deepseek-r1:8b',
      'gemini-3-flash',
      'kimi-k2-thinking',
    ];
    expect(reasoning.map(tokens)).toEqual(reasoning.map(() => 8192));
    const others = ['gpt-4o', 'gpt-5-chat-latest', 'claude-haiku-4-5', 'llama-3.3-70b', 'gemini-2.0-flash'];
    expect(others.map(tokens)).toEqual(others.map(() => 1024));
  });

  it('has the same defaults as salvo.yaml', () => {
    expect(resolveJudgeConfig({}, projectSchema.parse({}).judge)).toEqual(defaults);
  });
});
