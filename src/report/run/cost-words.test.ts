import { describe, expect, it } from 'vitest';
import { costWords } from './cost-words.ts';

describe('what a run cost', () => {
  it.each([
    [{ usd: 0.0137 }, { usd: 0.0021 }, '$0.0137 + $0.0021 judges'],
    [{ usd: 0.0137 }, { usd: 0 }, '$0.0137'],
    [{ usd: null, known: 1.25 }, { usd: 0 }, 'cost unknown (at least $1.25)'],
    [{ usd: null }, { usd: 0.0021 }, 'cost unknown + $0.0021 judges'],
    [{ usd: 2 }, { usd: null, known: 0.5 }, '$2.00 + judges unknown (at least $0.500)'],
  ])('%j and judges %j', (agent, judges, words) => {
    expect(costWords(agent, judges)).toBe(words);
  });
});
