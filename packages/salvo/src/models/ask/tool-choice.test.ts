import { describe, expect, it } from 'vitest';
import { requestedToolChoice } from '../../adapters/call/tool-choice.ts';
import { formatToolChoice, toolChoiceExtras } from './tool-choice.ts';

describe('formatToolChoice', () => {
  it('test_format_tool_choice_openai: a function by its name', () => {
    const choice = { tool_choice: { type: 'function', function: { name: 'score_criteria' } } };
    expect(formatToolChoice('openai', 'score_criteria')).toEqual(choice);
    expect(formatToolChoice('Azure-OpenAI', 'score_criteria')).toEqual(choice);
  });

  it('test_format_tool_choice_anthropic: a tool by its name', () => {
    expect(formatToolChoice('anthropic', 'score_criteria')).toEqual({
      tool_choice: { type: 'tool', name: 'score_criteria' },
    });
  });

  it('test_format_tool_choice_unknown: nothing', () => {
    expect(formatToolChoice('llama', 'score_criteria')).toEqual({});
    expect(formatToolChoice('', 'score_criteria')).toEqual({});
  });
});

describe('toolChoiceExtras', () => {
  it.each(['openai', 'anthropic', 'llama', 'google', 'mistral', 'openai-compatible', 'amazon-bedrock'])(
    'makes the tool the only choice of %s, in words its adapter understands',
    (provider) => {
      expect(requestedToolChoice(toolChoiceExtras(provider, 'score_criteria'))).toEqual({
        type: 'tool',
        name: 'score_criteria',
      });
    },
  );

  it.each(['openai', 'anthropic'])('speaks the language of %s', (provider) => {
    expect(toolChoiceExtras(provider, 'score_criteria')).toEqual(formatToolChoice(provider, 'score_criteria'));
  });

  it.each(['scripted', 'exec', 'http', 'module', 'function'])(
    'asks nothing of %s, which may be a whole agent',
    (provider) => {
      expect(toolChoiceExtras(provider, 'score_criteria')).toEqual({});
    },
  );
});
