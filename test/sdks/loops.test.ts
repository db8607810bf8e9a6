import { describe, vi } from 'vitest';
import fetchAgent from '../../examples/sdks/fetch/agent.ts';
import geminiAgent from '../../examples/sdks/gemini/agent.ts';
import { testSdk } from './sdk-cases.ts';
import { fetchLoop, geminiLoop } from './streaming-loops.ts';

// Agents that have a loop of their own, as the examples have it.

describe('fetch', () => {
  testSdk({
    model: 'gpt-6-luna',
    scenario: (url) => {
      vi.stubEnv('OPENAI_BASE_URL', `${url}/v1`);
      return fetchAgent;
    },
  });
});

describe('@google/genai', () => {
  testSdk({
    model: 'gemini-2.5-flash',
    resultText: (output) => JSON.stringify({ output }),
    scenario: (url) => {
      vi.stubEnv('GEMINI_API_KEY', 'none');
      vi.stubEnv('GOOGLE_GEMINI_BASE_URL', url);
      return geminiAgent;
    },
  });
});

const streams = ['tools of the scenario'];

describe('fetch, as a stream', () => {
  testSdk({ model: 'gpt-6-luna', streams, scenario: fetchLoop });
});

describe('@google/genai, as a stream', () => {
  const resultText = (output: string) => JSON.stringify({ output });
  testSdk({ model: 'gemini-2.5-flash', streams, resultText, scenario: geminiLoop });
});
