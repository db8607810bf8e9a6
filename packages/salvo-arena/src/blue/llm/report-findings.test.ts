import { describe, expect, it } from 'vitest';
import type { AdapterTurnResult } from '../../../../salvo/src/adapters/adapter.ts';
import { readReport } from './report-findings.ts';

const FINDING = { type: 'iam', resource: 'aws_iam_policy.p', severity: 'high' };

function answer(changes: Partial<AdapterTurnResult>): AdapterTurnResult {
  return { content: null, tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null, ...changes };
}
const call = (args: Record<string, unknown>, name = 'report_findings') => ({ id: '1', name, arguments: args });

describe('a report', () => {
  it('is what was handed in, in one call or several', () => {
    expect(readReport(answer({ tool_calls: [call({ findings: [FINDING] })] }))).toEqual({ value: [FINDING] });
    const twice = [call({ findings: [FINDING] }), call({ findings: [] }), call({ findings: [FINDING] })];
    expect(readReport(answer({ tool_calls: twice }))).toEqual({ value: [FINDING, FINDING] });
    expect(readReport(answer({ tool_calls: [call({ findings: [] })] }))).toEqual({ value: [] });
  });

  it('may be JSON between words', () => {
    const content = `Here:\n\`\`\`json\n${JSON.stringify({ findings: [FINDING] })}\n\`\`\`\nThat is all.`;
    expect(readReport(answer({ content }))).toEqual({ value: [FINDING] });
  });

  it.each([
    ['empty', answer({})],
    ['words', answer({ content: 'I found no problems.' })],
    ['a call without findings', answer({ tool_calls: [call({})] })],
    ['a call with words', answer({ tool_calls: [call({ findings: 'none' })] })],
    ['a list of words', answer({ tool_calls: [call({ findings: ['ssh is open'] })] })],
    ['cut off', answer({ tool_calls: [{ ...call({}), raw_arguments: '{"findings": [{"type": "iam"' }] })],
    ['JSON that is cut off', answer({ content: '{"findings": [{"type": "iam", "resource": "a"}, {"ty' })],
    ['another tool', answer({ tool_calls: [call({ findings: [FINDING] }, 'submit')] })],
  ])('cannot be read from an answer that is %s', (_, result) => {
    expect(readReport(result)).toEqual({ problem: expect.any(String) });
  });
});
