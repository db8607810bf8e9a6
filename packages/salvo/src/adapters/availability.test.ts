import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { describeAdapters } from './availability.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

async function statusOf(adapters: Record<string, AdapterOptions>, env: Record<string, string> = {}) {
  const all = await describeAdapters({ root: ROOT, adapters, env: { PATH: process.env.PATH, ...env } });
  return Object.fromEntries(all.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
}

describe('the built-in adapters', () => {
  it('are all listed, with the variable to set and the package to install', async () => {
    const status = await statusOf({});
    expect(Object.keys(status)).toEqual([
      'openai',
      'anthropic',
      'scripted',
      'ai-sdk',
      'llama',
      'exec',
      'http',
      'a2a',
      'ag-ui',
      'module',
    ]);
    expect(status.openai).toBe('missing_key: set OPENAI_API_KEY');
    expect(status['ai-sdk']).toMatch(/^ready/);
    expect(status.scripted).toMatch(/^ready/);
  });

  it('are ready once their key is set, and never show it', async () => {
    const status = await statusOf({}, { OPENAI_API_KEY: 'sk-hidden-1', ANTHROPIC_API_KEY: 'sk-hidden-2' });
    expect(status.openai).toBe('ready: OPENAI_API_KEY is set');
    expect(JSON.stringify(status)).not.toContain('hidden');
  });
});

describe('a named adapter', () => {
  it('is ready without a key where the server needs none', async () => {
    const status = await statusOf({ ollama: { type: 'openai', base_url: 'http://user:pw@localhost:11434/v1?k=1' } });
    expect(status.ollama).toBe('ready: without a key at http://localhost:11434');
  });

  it('says which variables are missing', async () => {
    const status = await statusOf({
      groq: { type: 'openai', base_url: 'https://api.groq.com', api_key_env: 'GROQ_KEY' },
      agent: { type: 'http', url: 'https://example.com/agent', headers: { A: `\${ONE}`, B: `\${TWO} \${ONE}` } },
      openai: { type: 'openai', headers: { Authorization: `\${THREE}` } },
    });
    expect(status.groq).toBe('missing_key: set GROQ_KEY');
    expect(status.agent).toBe('missing_key: set ONE, TWO');
    expect(status.openai).toBe('missing_key: set THREE');
  });

  it('says which package, file or program is missing', async () => {
    const status = await statusOf({
      bedrock: { type: 'ai-sdk', package: '@example/not-installed' },
      compatible: { type: 'ai-sdk', package: '@ai-sdk/openai-compatible' },
      gone: { type: 'module', path: './nowhere.ts' },
      here: { type: 'module', path: './package.json' },
      noProgram: { type: 'exec', command: 'no-such-program --flag' },
      program: { type: 'exec', command: ['node', 'agent.js'] },
      local: { type: 'exec', command: '"./no such script.sh" x' },
      unreadable: { type: 'exec', command: '"half' },
    });
    expect(status.bedrock).toBe('missing_package: npm install @example/not-installed');
    expect(status.compatible).toMatch(/^ready/);
    expect(status.gone).toMatch(/^missing_file: .*nowhere\.ts/);
    expect(status.here).toMatch(/^ready/);
    expect(status.noProgram).toBe('missing_file: no-such-program is not on the PATH');
    expect(status.program).toBe('ready: node');
    expect(status.local).toMatch(/^missing_file: .*no such script\.sh/);
    expect(status.unreadable).toMatch(/^missing_file/);
  });
});
