import { describe, expect, it } from 'vitest';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { registerAdapter } from './registered-adapters.ts';
import { adapterLimits, getAdapter } from './registry.ts';

const context = (adapters: Record<string, AdapterOptions> = {}) => ({ root: '/nowhere', adapters, env: {} });
const provider = (name: string, adapters?: Record<string, AdapterOptions>) =>
  getAdapter(name, context(adapters)).providerName();

describe('the name of an adapter', () => {
  it('means one of salvo.yaml before a built-in', () => {
    expect(provider('openai')).toBe('openai');
    expect(provider('anthropic')).toBe('anthropic');
    expect(provider('scripted')).toBe('scripted');
    expect(provider('openai', { openai: { type: 'anthropic' } })).toBe('anthropic');
    expect(provider('mine', { mine: { type: 'scripted', script: [{ content: 'x' }] } })).toBe('scripted');
  });

  it('means one registered in code before all others', () => {
    const own = { providerName: () => 'own', sendTurn: () => Promise.reject(new Error('unused')) };
    registerAdapter('registered-here', () => own);
    expect(getAdapter('registered-here', context({ 'registered-here': { type: 'openai' } }))).toBe(own);
    expect(() => getAdapter('unknown', context())).toThrow(/Known adapters: .*registered-here/);
  });

  it.each(['openai', 'exec'])('cannot be registered when it is built in: %s', (name) => {
    const own = { providerName: () => 'own', sendTurn: () => Promise.reject(new Error('unused')) };
    expect(() => registerAdapter(name, () => own)).toThrow(`"${name}" is a built-in adapter`);
  });

  it('can be registered once', () => {
    const own = { providerName: () => 'own', sendTurn: () => Promise.reject(new Error('unused')) };
    registerAdapter('once', () => own);
    expect(() => registerAdapter('once', () => own)).toThrow('The adapter "once" is registered already');
  });

  it('may be an address, a command or a path', () => {
    expect(provider('https://example.com/agent')).toBe('http');
    expect(provider('exec: node agent.js')).toBe('exec');
    for (const path of ['./agent.ts', '../a.mjs', '/abs/agent.js', 'agents/mine.mts', './folder']) {
      expect(() => provider(path)).not.toThrow();
    }
  });

  it.each(['constructor', '__proto__', 'toString', '', ' ', 'exec:', 'exec: ', 'http://', 'x'.repeat(100_000)])(
    'is unknown when it is not defined: %j',
    (name) => {
      expect(() => provider(name)).toThrow(expect.objectContaining({ code: 'ADAPTER_UNKNOWN' }));
    },
  );

  it('is corrected when it was mistyped', () => {
    expect(() => provider('opnai')).toThrow(/Did you mean "openai"\? Known adapters: .*anthropic/);
    expect(() => provider('Anthropic')).toThrow('Did you mean "anthropic"?');
    expect(() => provider('xyzzy')).not.toThrow('Did you mean');
  });

  it('is explained when it is a type that needs options', () => {
    expect(() => provider('ai-sdk')).toThrow(expect.objectContaining({ code: 'ADAPTER_OPTIONS_MISSING' }));
  });
});

describe('the limits of an adapter', () => {
  it('are those of salvo.yaml, and none for any other', () => {
    const adapters: Record<string, AdapterOptions> = {
      slow: { type: 'openai', max_concurrency: 2, requests_per_minute: 30, timeout_seconds: 9 },
    };
    expect(adapterLimits('slow', context(adapters))).toEqual({
      max_concurrency: 2,
      requests_per_minute: 30,
      timeout_seconds: 9,
    });
    expect(adapterLimits('openai', context(adapters))).toEqual({});
    expect(adapterLimits('constructor', context(adapters))).toEqual({});
  });
});
