import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../secrets/redactor.ts';
import { redactedAnswer } from './exchange-answer.ts';

const SECRET = 'hunter2hunter2';
const redactor = createRedactor({ customPatterns: [], secrets: [SECRET] });
const target = {
  provider: 'openai',
  api: 'chat',
  url: new URL('http://model/v1'),
  model: null,
  problem: null,
} as const;
const chunk = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

describe('an answer on a cassette', () => {
  test.each([
    '{ "a":  1.0 }',
    '',
    'plain',
    `${chunk('Hi', 'stop')}data: [DONE]\n\n`,
    'event: a\r\ndata: {"b" : 1}\r\n\r\n',
  ])('is as it came if it has no secret: %j', async (text) => {
    expect(await redactedAnswer(text, target, redactor)).toBe(text);
  });

  test('has no secret, as JSON, as text, and within an event', async () => {
    for (const text of [`{"a":"${SECRET}"}`, `It is ${SECRET}`, chunk(`It is ${SECRET}.`, 'stop')]) {
      const redacted = await redactedAnswer(text, target, redactor);
      expect(redacted).toContain('[REDACTED:');
      expect(redacted).not.toContain(SECRET);
    }
  });

  test('is not kept if a secret comes in pieces', async () => {
    const text = `${chunk('hunter2')}${chunk('hunter2', 'stop')}`;
    expect(await redactedAnswer(text, target, redactor)).toBeNull();
  });
});
