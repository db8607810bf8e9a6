import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { evaluateCustom } from './custom.ts';

const CHECKS = `
export default (trace) => trace.final_content === 'Done.';
export const half = () => 0.5;
export const full = async (trace, { options, trialNumber }) =>
  ({ score: options.score, passed: true, details: \`trial \${trialNumber}\`, metadata: { seen: trace.model } });
export const unknown = () => ({ score: null, details: 'the oracle is silent' });
export const vandal = (trace) => { trace.messages.length = 0; return true; };
export const thrower = () => { throw new Error('no database'); };
export const gives = (trace, { options }) => options.what === 'nan' ? NaN : options.what;
export const notAFunction = 1;
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salvo custom-'));
  await writeFile(join(folder, 'checks.mjs'), CHECKS);
  await writeFile(join(folder, 'broken.mjs'), 'export default (');
});
afterAll(() => rm(folder, { recursive: true }));

async function evaluate(name?: string, options?: Record<string, unknown>, trace = sampleTrace()) {
  const assertion = ASSERTION_SCHEMAS.custom.parse({ type: 'custom', module: './checks.mjs', function: name, options });
  return evaluateCustom(assertion, trace, { scenarioFile: join(folder, 'scenario.yaml'), trialNumber: 4 });
}

describe('custom', () => {
  it('asks the default export, relative to the scenario', async () => {
    expect(await evaluate()).toEqual({ score: 1, details: './checks.mjs gave true for "Done."' });
    expect(await evaluate(undefined, {}, sampleTrace({ final_content: null }))).toMatchObject({ score: 0 });
  });

  it('takes a number for a score', async () => {
    expect(await evaluate('half')).toEqual({ score: 0.5, details: './checks.mjs (half) gave 0.5 for "Done."' });
  });

  it('accepts an object with reasons, and passes its options on', async () => {
    expect(await evaluate('full', { score: 0.7 })).toEqual({
      score: 0.7,
      passed: true,
      details: 'trial 4',
      metadata: { seen: 'sample-model' },
    });
  });

  it('lets the function return no score', async () => {
    expect(await evaluate('unknown')).toEqual({ score: null, details: 'the oracle is silent' });
  });

  it('hands out a copy of the trace', async () => {
    const trace = sampleTrace();
    await evaluate('vandal', {}, trace);
    expect(trace).toEqual(sampleTrace());
  });

  it('lets through what the function throws', async () => {
    await expect(evaluate('thrower')).rejects.toThrow('no database');
  });

  it.each([[2], [-0.1], ['nan'], ['yes'], [null], [undefined], [{}], [{ score: '1' }], [[1]]])(
    'refuses %j as a score',
    async (what) => {
      await expect(evaluate('gives', { what })).rejects.toThrow('return true or false, a number from 0 to 1');
    },
  );

  it('names what a module exports when the function is not there', async () => {
    await expect(evaluate('haff')).rejects.toThrow(/no function "haff".*half/);
    await expect(evaluate('notAFunction')).rejects.toThrow('no function "notAFunction"');
    await expect(evaluate('toString')).rejects.toThrow('no function "toString"');
  });

  it('says which module cannot be loaded', async () => {
    for (const module of ['missing.mjs', 'broken.mjs']) {
      const assertion = ASSERTION_SCHEMAS.custom.parse({ type: 'custom', module });
      await expect(evaluateCustom(assertion, sampleTrace(), { scenarioFile: join(folder, 's.yaml') })).rejects.toThrow(
        `${join(folder, module)} cannot be loaded`,
      );
    }
  });
});
