import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../test/sample-trace.ts';
import { buildContext, buildToolCallSummary } from './context.ts';

const scenario = {
  system_prompt: 'You are a clerk.',
  tools: [{ name: 'search', description: 'Finds things.' }, { name: 'file' }],
};

describe('buildToolCallSummary', () => {
  it('test_build_tool_call_summary_no_calls: says that there were none', () => {
    expect(buildToolCallSummary(sampleTrace())).toBe('No tool calls were made.');
  });

  it('numbers the calls, one on a line', () => {
    const tool_calls_made = sampleCalls(['search', { q: 'cats' }], 'file');
    expect(buildToolCallSummary(sampleTrace({ tool_calls_made }))).toBe('1. search({"q":"cats"})\n2. file({})');
  });

  it('test_build_tool_call_summary_truncates_long_args: after 100 characters, with "..."', () => {
    const trace = sampleTrace({ tool_calls_made: sampleCalls(['search', { q: 'x'.repeat(200) }]) });
    expect(buildToolCallSummary(trace)).toBe(`1. search({"q":"${'x'.repeat(94)}...)`);
    expect(buildToolCallSummary(trace, 10)).toBe('1. search({"q":"xxxx...)');
  });
});

describe('buildContext', () => {
  it('test_build_context_default: the final response and the tool calls', () => {
    const trace = sampleTrace({ tool_calls_made: sampleCalls('search') });
    expect(buildContext(trace)).toBe("## Agent's Final Response\nDone.\n\n## Tool Calls Made\n1. search({})");
    expect(buildContext(trace, scenario)).toBe(buildContext(trace));
    expect(buildContext(trace, undefined, true)).toBe(buildContext(trace));
  });

  it('test_build_context_empty_response: is shown as empty', () => {
    const empty = "## Agent's Final Response\n(empty)\n\n## Tool Calls Made\nNo tool calls were made.";
    expect(buildContext(sampleTrace({ final_content: null }))).toBe(empty);
    expect(buildContext(sampleTrace({ final_content: '' }))).toBe(empty);
  });

  it('test_build_context_with_system_prompt: and the tools, when they are asked for', () => {
    expect(buildContext(sampleTrace(), scenario, true)).toBe(
      [
        "## Agent's Final Response\nDone.",
        '## Tool Calls Made\nNo tool calls were made.',
        '## Scenario System Prompt\nYou are a clerk.',
        '## Available Tools\n- search: Finds things.\n- file',
      ].join('\n\n'),
    );
  });

  it('test_build_context_truncates_long_system_prompt: after 2,000 characters', () => {
    const context = buildContext(sampleTrace(), { system_prompt: 'x'.repeat(3000) }, true);
    expect(context).toContain(`## Scenario System Prompt\n${'x'.repeat(2000)}...`);
    expect(context).not.toContain('x'.repeat(2001));
  });

  it('has no section for what the scenario does not have', () => {
    expect(buildContext(sampleTrace(), { tools: [] }, true)).toBe(buildContext(sampleTrace()));
  });
});
