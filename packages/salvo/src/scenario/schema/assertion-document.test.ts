import { describe, expect, test } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { assertionDocument, watchedDocument } from './assertion-document.ts';

describe('the document of a trace that notes what is read', () => {
  test('is the document, and notes only what is read', () => {
    const trace = sampleTrace({ cost_usd: null });
    const { document, read } = watchedDocument(trace);
    expect(document.response.content).toBe(trace.final_content);
    expect(read).toEqual({ steps: false, toolCalls: false, unknown: new Set() });
    expect(JSON.stringify(document)).toBe(JSON.stringify(assertionDocument(trace)));
    expect(read).toMatchObject({ steps: true, toolCalls: true });
    expect(read.unknown).toContain('cost_usd');
  });

  test('has no getters of its own, which would keep every trace in memory until a full garbage collection', () => {
    const { document } = watchedDocument(sampleTrace());
    for (const watched of [document, document.metadata]) {
      const properties = Object.values(Object.getOwnPropertyDescriptors(watched));
      expect(properties.filter(({ get }) => get !== undefined)).toEqual([]);
    }
  });
});
