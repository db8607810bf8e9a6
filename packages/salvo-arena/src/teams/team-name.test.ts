import { describe, expect, it, test } from 'vitest';
import { SCANNERS } from '../blue/scanners/scanners.ts';
import { asksModel, blueInMode, namedModels, parseBlueName, parseRedName } from './team-name.ts';

const scanner = (wanted: string) => SCANNERS.find(({ name }) => name === wanted) ?? expect.unreachable(wanted);

describe('the name of a Blue Team', () => {
  it('can be that of the rules, of a scanner or of a command', () => {
    expect(parseBlueName('rules')).toEqual({ kind: 'rules' });
    expect(parseBlueName(' checkov ')).toEqual({ kind: 'scanner', scanner: scanner('checkov') });
    expect(parseBlueName('command:scan +x {dir}')).toEqual({ kind: 'command', command: 'scan +x {dir}' });
  });

  it('can be that of a model, with the adapter or without', () => {
    expect(parseBlueName('llm:gpt-5')).toEqual({ kind: 'llm', adapter: 'openai', model: 'gpt-5' });
    expect(parseBlueName('llm:claude-x')).toEqual({ kind: 'llm', adapter: 'anthropic', model: 'claude-x' });
    expect(parseBlueName('llm:anthropic/claude-x')).toEqual({ kind: 'llm', adapter: 'anthropic', model: 'claude-x' });
    expect(parseBlueName('llm:local/qwen', { adapters: ['local'] })).toEqual({
      kind: 'llm',
      adapter: 'local',
      model: 'qwen',
    });
  });

  it('takes a slash for part of the model when there is no such adapter', () => {
    expect(parseBlueName('llm:meta/llama', { adapter: 'router' })).toEqual({
      kind: 'llm',
      adapter: 'router',
      model: 'meta/llama',
    });
    expect(parseBlueName('llm:openai/meta/llama')).toEqual({ kind: 'llm', adapter: 'openai', model: 'meta/llama' });
  });

  it('can be several, and a hybrid of models has the rules as well', () => {
    const model = { kind: 'llm', adapter: 'openai', model: 'gpt-5' };
    expect(parseBlueName('rules+trivy')).toEqual({
      kind: 'several',
      parts: [{ kind: 'rules' }, { kind: 'scanner', scanner: scanner('trivy') }],
    });
    expect(parseBlueName('hybrid:trivy+llm:gpt-5')).toEqual({
      kind: 'several',
      parts: [{ kind: 'scanner', scanner: scanner('trivy') }, model],
    });
    expect(parseBlueName('hybrid:llm:gpt-5')).toEqual({ kind: 'several', parts: [{ kind: 'rules' }, model] });
  });

  it('that is unknown is refused, with the one that was probably meant', () => {
    expect(() => parseBlueName('chekov')).toThrow(/no Blue Team "chekov". Did you mean "checkov"\?/);
    expect(() => parseBlueName('rules+trivvy')).toThrow(/Did you mean "trivy"\?/);
    for (const name of ['', 'llm:', 'llm:openai/', 'command: ', 'hybrid:', 'rules+', 'gpt-5']) {
      expect(() => parseBlueName(name)).toThrow(/Known are rules, rules:full, checkov/);
    }
  });
});

describe('the name of a Red Team', () => {
  it('can be mutation or that of a model', () => {
    expect(parseRedName(' mutation ')).toEqual({ kind: 'mutation' });
    expect(parseRedName('llm:gpt-5')).toEqual({ kind: 'llm', adapter: 'openai', model: 'gpt-5' });
    expect(parseRedName('llm:local/m', { adapters: ['local'] })).toEqual({ kind: 'llm', adapter: 'local', model: 'm' });
  });

  it('that is unknown is refused, with the one that was probably meant', () => {
    expect(() => parseRedName('mutaton')).toThrow(/no Red Team "mutaton". Did you mean "mutation"\?/);
    for (const name of ['', 'llm:', 'rules', 'command:x {dir}', 'llm:openai/']) {
      expect(() => parseRedName(name)).toThrow(/Known are mutation, llm:MODEL/);
    }
  });
});

describe('the models of teams', () => {
  test.each([
    ['llm:m', true],
    ['hybrid:llm:m', true],
    ['rules + llm:m', true],
    ['rules', false],
    ['mutation', false],
    ['command:a+llm: {dir}', false],
  ])('%s asks a model: %s', (name, expected) => {
    expect(asksModel(name)).toBe(expected);
  });

  it('are listed, of Red and Blue alike', () => {
    const names = [parseRedName('llm:r'), parseRedName('mutation'), parseBlueName('rules+llm:b')];
    expect(namedModels(names).map(({ model }) => model)).toEqual(['r', 'b']);
  });
});

describe('a Blue in a mode', () => {
  test.each([
    ['checkov+llm:m', 'tools_only', 'checkov'],
    ['llm:m', 'tools_only', 'rules'],
    ['hybrid:checkov+llm:m', 'llm_only', 'llm:m'],
    ['llm:m', 'hybrid', 'hybrid:rules+llm:m'],
    ['trivy+llm:m', 'hybrid', 'hybrid:trivy+llm:m'],
    ['command:a+llm: {dir}', 'tools_only', 'command:a+llm: {dir}'],
  ] as const)('%s in mode %s is %s', (blue, mode, expected) => {
    expect(blueInMode(parseBlueName(blue), mode)).toEqual(parseBlueName(expected));
  });

  test.each(['llm_only', 'hybrid'] as const)('%s without a model is refused', (mode) => {
    expect(() => blueInMode(parseBlueName('rules'), mode)).toThrow(/needs a model/);
  });
});
