import { describe, expect, test } from 'vitest';
import type { AdapterOptions } from '../../../salvo/src/adapters/adapter-options-schema.ts';
import { refuseUngranted } from './granted-variables.ts';

const ENV = { OPENAI_API_KEY: 'sk', OPENAI_ORG_ID: 'org', ANTHROPIC_API_KEY: 'sk', TEAM: 'red' };

function refusal(options: AdapterOptions, granted: 'all' | string[] = [], env: Record<string, string> = ENV): string {
  try {
    refuseUngranted({ adapters: { own: options }, ofScenarios: [] }, { granted, env });
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how salvo.yaml names a variable
const headers = { X: 'team ${TEAM}' };
const url = 'https://agents.example/ask';

describe('without --env a worker', () => {
  test.each<[string, AdapterOptions]>([
    ['the usual key to its provider', { type: 'openai' }],
    ['the same, written out', { type: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' }],
    ['the same, with the address', { type: 'openai', base_url: 'https://api.openai.com/v1' }],
    ['no variable to any server', { type: 'http', url, headers: { X: 'red' } }],
    ['what a package reads to its own server', { type: 'ai-sdk', package: '@ai-sdk/google' }],
    ['nothing to a server that needs no key', { type: 'ai-sdk', package: '@ai-sdk/openai-compatible', base_url: url }],
    ['nothing to a program', { type: 'exec', command: 'agent' }],
  ])('sends %s', (_, options) => {
    expect(refusal(options)).toBe('taken');
  });

  test.each<[string, AdapterOptions, string]>([
    ['a key to another server', { type: 'openai', base_url: url }, 'OPENAI_API_KEY=agents.example'],
    [
      'a key without encryption',
      { type: 'openai', base_url: 'http://api.openai.com' },
      'OPENAI_API_KEY=api.openai.com',
    ],
    [
      'a key to another provider',
      { type: 'openai', api_key_env: 'ANTHROPIC_API_KEY' },
      'ANTHROPIC_API_KEY=api.openai.com',
    ],
    ['a variable in a header', { type: 'anthropic', headers }, 'TEAM=api.anthropic.com'],
    ['a header of an agent', { type: 'http', url, headers }, 'TEAM=agents.example'],
    ['a key of an agent', { type: 'http', url: 'http://a:81', api_key_env: 'SECRET' }, 'SECRET=a:81'],
    ['a variable for a program', { type: 'exec', command: 'agent', env: ['TEAM'] }, '--env TEAM`,'],
    ['a variable for a package', { type: 'ai-sdk', package: '@ai-sdk/google', api_key_env: 'TEAM' }, '--env TEAM`,'],
    ['an unnamed key of a package', { type: 'ai-sdk', package: '@ai-sdk/openai', base_url: url }, 'api_key_env'],
  ])('does not send %s', (_, options, expected) => {
    expect(refusal(options)).toContain(expected);
  });
});

describe('--env', () => {
  test('grants a variable for one server, and for no other', () => {
    const granted = ['TEAM=agents.example'];
    expect(refusal({ type: 'http', url, headers }, granted)).toBe('taken');
    expect(refusal({ type: 'http', url: 'https://evil.example', headers }, granted)).toContain('TEAM to evil.example');
    expect(refusal({ type: 'http', url: 'https://agents.example:8443', headers }, granted)).toContain(':8443');
    expect(refusal({ type: 'exec', command: 'agent', env: ['TEAM'] }, granted)).toContain('--env TEAM`,');
  });

  test('with a name alone grants it for programs, and for no server', () => {
    expect(refusal({ type: 'exec', command: 'agent', env: ['TEAM'] }, ['TEAM'])).toBe('taken');
    expect(refusal({ type: 'http', url, headers }, ['TEAM'])).toContain('--env TEAM=agents.example');
  });

  test('without names grants everything', () => {
    expect(refusal({ type: 'http', url, headers }, 'all')).toBe('taken');
  });
});

test('a local server gets no key where none is set, and the organization only with a grant', () => {
  const local: AdapterOptions = { type: 'openai', base_url: 'http://localhost:11434/v1' };
  expect(refusal(local, [], {})).toBe('taken');
  expect(refusal(local, ['OPENAI_API_KEY=localhost:11434'])).toContain('--env OPENAI_ORG_ID=localhost:11434');
});

test('a server elsewhere needs a grant for the key also where none is set now', () => {
  const elsewhere: AdapterOptions = { type: 'openai', base_url: 'https://agents.example/v1' };
  expect(refusal(elsewhere, [], {})).toContain('--env OPENAI_API_KEY=agents.example');
  expect(refusal(elsewhere, ['OPENAI_API_KEY=agents.example'], {})).toBe('taken');
  expect(refusal({ ...elsewhere, base_url: 'http://127.0.0.1.agents.example' }, [], {})).toContain('OPENAI_API_KEY=');
});

test('the server that the environment of the worker names is its owner’s choice', () => {
  expect(refusal({ type: 'openai' }, [], { ...ENV, OPENAI_BASE_URL: 'http://proxy:8080' })).toBe('taken');
});
