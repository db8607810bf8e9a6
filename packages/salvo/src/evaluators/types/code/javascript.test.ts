import { afterEach, describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { scenarioFieldsSchema } from '../../../scenario/schema/scenario-schema.ts';
import { permitAllCode, refuseAllCode } from '../../../text/modules/permitted-code.ts';
import type { Trace } from '../../../trace/trace.ts';
import { evaluateTrace } from '../../evaluate-trace.ts';

afterEach(permitAllCode);

async function evaluate(
  code: string,
  { trace = {}, seconds = 30, ...fields }: { trace?: Partial<Trace>; seconds?: number; [field: string]: unknown } = {},
) {
  const assertion = ASSERTION_SCHEMAS.javascript.parse({ type: 'javascript', code, ...fields });
  const scenario = {
    ...scenarioFieldsSchema.parse({ prompt: 'Please.', timeout_seconds: seconds }),
    name: 'sample',
    assertions: [assertion],
  };
  const row = { wanted: 'Done.' };
  const trialContext = { runId: 'r', scenario: 'sample', case: 'one', row, trialNumber: 1 };
  const [result] = await evaluateTrace({ scenario, trace: sampleTrace(trace), context: { trialContext } });
  const { score, passed, status, details } = result ?? {};
  return { score, passed, status, details };
}

describe('javascript', () => {
  it.each([
    ['output.length < 50', 1],
    ['output === context.vars.wanted && context.row.wanted === context.vars.wanted;', 1],
    ['(output) => output.startsWith("Not")', 0],
    ['async (output, { prompt }) => prompt === "Please."', 1],
    ['const words = output.split(" ");\nreturn words.length === 1; // a word', 1],
    ['context.trace.messages.at(-1).content === output', 1],
    ['context.options.limit === 3', 1],
    ['await Promise.resolve(false)', 0],
    ['({ pass: true, score: 0.4, reason: "near" })', 0.4],
    ['new Date(0).getTime() === 0 && Intl.NumberFormat("de").format(1.5) === "1,5"', 1],
  ])('takes %j', async (code, score) => {
    expect(await evaluate(code, { options: { limit: 3 } })).toMatchObject({ status: 'scored', score });
  });

  it('passes with a score above 0, or from `min` on', async () => {
    expect(await evaluate('0.1')).toMatchObject({ score: 0.1, passed: true });
    expect(await evaluate('0')).toMatchObject({ score: 0, passed: false });
    expect(await evaluate('0.5', { min: '60%' })).toMatchObject({
      passed: false,
      details: '0.5 gave 0.5 for "Done." (it passes from 0.6)',
    });
    expect(await evaluate('({ score: 0.7, reason: "good" })', { min: 0.6 })).toMatchObject({
      passed: true,
      details: 'good',
    });
  });

  it('fails without an answer, and is not called', async () => {
    expect(await evaluate('true', { trace: { final_content: ' ' } })).toMatchObject({ status: 'scored', score: 0 });
  });

  it.each([
    [
      'output.missing.field',
      "The code failed: TypeError: Cannot read properties of undefined (reading 'field') (line 1 of the code).",
    ],
    [
      'const a = 1;\nthrow new RangeError("no " + a);\nreturn a;',
      'The code failed: RangeError: no 1 (line 2 of the code).',
    ],
    ['throw "text"; return 1', 'The code failed: thrown: text.'],
    ['throw { get message() { throw 1; } }; return 1', 'The code failed: thrown: something that cannot be shown.'],
    ['"often"', 'The code returned "often": return true or false'],
    ['undefined', 'The code returned nothing: return true or false'],
    ['7', 'The code returned 7: return true or false'],
    ['const a = {}; a.a = a; return a;', 'The code failed: TypeError: Converting circular structure to JSON'],
    ['require("node:fs")', 'The code failed: ReferenceError: require is not defined'],
    ['process.exit(0)', 'The code failed: ReferenceError: process is not defined'],
    ['setTimeout(() => {}, 1)', 'The code failed: ReferenceError: setTimeout is not defined'],
    ['await import("node:fs")', 'The code failed: TypeError: A dynamic import callback was not specified'],
  ])('is unscored if %j is what it does', async (code, details) => {
    const result = await evaluate(code);
    expect(result).toMatchObject({ status: 'unscored', details: expect.stringContaining(details.slice(0, 80)) });
  });

  it('ends what does not end, and goes on', async () => {
    const endless = await evaluate('for (;;) {}', { seconds: 0.3 });
    expect(endless).toMatchObject({ status: 'unscored', details: expect.stringContaining('did not end within 0.3 s') });
    const waiting = await evaluate('await new Promise(() => {})', { seconds: 0.2 });
    expect(waiting).toMatchObject({ status: 'unscored', details: expect.stringContaining('did not end within 0.2 s') });
    expect(await evaluate('true')).toMatchObject({ score: 1 });
  });

  it('changes nothing outside of itself: neither prototypes, nor globals, nor the trace', async () => {
    const dirty = `Object.prototype.dirty = 1; Array.prototype.includes = () => true; String.prototype.trim = null;
      globalThis.kept = 1; context.trace.final_content = 'changed'; console.log('printed'); JSON.stringify = null;
      return true;`;
    expect(await evaluate(dirty)).toMatchObject({ score: 1 });
    expect(Reflect.get({}, 'dirty')).toBeUndefined();
    const clean = 'typeof kept === "undefined" && ({}).dirty === undefined && ![1].includes(2) && " a".trim() === "a"';
    expect(await evaluate(clean)).toMatchObject({ score: 1 });
  });

  it('gets an answer of several megabytes', async () => {
    const final_content = `${'x'.repeat(3_000_000)}\u2028"`;
    expect(await evaluate('output.length', { trace: { final_content }, min: 0 })).toMatchObject({ status: 'unscored' });
    expect(await evaluate('output.length === 3000002', { trace: { final_content } })).toMatchObject({ score: 1 });
  });

  it('is not scored if it reads tool calls that nobody saw', async () => {
    const trace = { tools_seen: 'unknown' as const };
    const result = await evaluate('context.trace.tool_calls_made.length === 0', { trace });
    expect(result).toMatchObject({ status: 'unscored', details: expect.stringContaining('tool calls are not known') });
    expect(await evaluate('output === "Done."', { trace })).toMatchObject({ score: 1 });
  });

  it('is refused by --no-code', async () => {
    refuseAllCode();
    const result = await evaluate('true');
    expect(result).toMatchObject({
      status: 'unscored',
      details: expect.stringContaining('Refused: the command javascript true is code'),
    });
  });
});
