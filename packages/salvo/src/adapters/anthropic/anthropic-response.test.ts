import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdapterError } from '../adapter-error.ts';
import { anthropicTurn } from './anthropic-response.ts';

describe('a message of the Messages API', () => {
  it('is a turn or a bad response, whatever a server sends', () => {
    const block = fc.record({ type: fc.constantFrom('text', 'tool_use', 'thinking', 'new'), text: fc.anything() });
    const content = fc.oneof(fc.anything(), fc.array(fc.oneof(block, fc.anything())));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ content, usage: fc.anything() })), (value) => {
        const body: unknown = JSON.parse(
          JSON.stringify(value ?? null, (_, v) => (typeof v === 'bigint' ? 0 : v)) ?? '0',
        );
        try {
          expect(anthropicTurn(body)).toHaveProperty('finish_reason');
        } catch (error) {
          expect(error).toBeInstanceOf(AdapterError);
        }
      }),
    );
  });

  it('keeps blocks of an unknown type, to send them back', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'text', text: 'Found.' },
    ];
    expect(anthropicTurn({ content, stop_reason: 'end_turn' })).toMatchObject({
      content: 'Found.',
      tool_calls: [],
      provider_state: { anthropic: { content } },
    });
  });

  it('has no state when there are only text and calls', () => {
    expect(anthropicTurn({ content: [{ type: 'text', text: 'x' }] })).not.toHaveProperty('provider_state');
  });
});
