import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleRunHead, sampleSummary } from '../../../../../../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../../test/sample-trial.ts';
import { visibleControls } from '../../../text/output/safe-text.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { writeCsv } from './csv.ts';

const run = sampleRunHead();

async function written(trials: TrialResult[]): Promise<string> {
  const chunks: string[] = [];
  await writeCsv({
    run,
    scenarios: [{ summary: sampleSummary(), trials: () => trials }],
    write: (chunk) => void chunks.push(chunk),
  });
  return chunks.join('');
}

/** A reader of RFC 4180, strict about its quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const match = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    match.lastIndex = at;
    const found = match.exec(text);
    if (!found) throw new Error(`not CSV at ${at}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
    at = match.lastIndex;
  }
  return rows;
}

test('has one row per trial, with what is unknown left empty', async () => {
  const failed = [
    sampleEvalResult({ assertion_id: 'a', score: 0 }),
    sampleEvalResult({ assertion_id: 'b', score: 0 }),
    sampleEvalResult({ assertion_id: 'c' }),
    sampleEvalResult({ assertion_id: 'd', passed: false, status: 'unscored' }),
  ];
  const text = await written([
    sampleTrial({ cost_usd: null, judge_cost_usd: null, latency_seconds: null }),
    sampleTrial({
      ...{ trial_number: 2, status: 'failed', passed: false, score: 0.25, eval_results: failed, user_cost_usd: 0.002 },
    }),
    sampleTrial({ trial_number: 3, simulated_user: { messages: 2, broke_role: null } }),
  ]);
  expect(text.split('\r\n')).toEqual([
    'run_id,scenario,file,model,adapter,verdict,decided_by,case_index,case,trial_number,status,score,passed,latency_seconds,cost_usd,judge_cost_usd,user_cost_usd,retries,error_code,error_message,trace_id,failed_assertions,quarantined',
    '01k7,refund-happy-path,scenarios/refund-happy-path.yaml,gpt-4o-mini,openai,PASS,min_pass_rate,0,,1,passed,1,true,,,,,0,,,trace,,false',
    '01k7,refund-happy-path,scenarios/refund-happy-path.yaml,gpt-4o-mini,openai,PASS,min_pass_rate,0,,2,failed,0.25,false,1,0.01,0,0.002,0,,,trace,a; b,false',
    '01k7,refund-happy-path,scenarios/refund-happy-path.yaml,gpt-4o-mini,openai,PASS,min_pass_rate,0,,3,passed,1,true,1,0.01,0,0,0,,,trace,,false',
    '',
  ]);
});

test('any message comes back, with control characters made visible and formulas disarmed', async () => {
  const message = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (messages) => {
      const text = await written(messages.map((error_message) => sampleTrial({ error_message })));
      const [header = [], ...rows] = parseCsv(text);
      const column = header.indexOf('error_message');
      expect(rows.map((row) => row[column])).toEqual(
        messages.map((each) =>
          /^[=+\-@\t\r\n＝＋－＠]/.test(each) ? `'${visibleControls(each)}` : visibleControls(each),
        ),
      );
      for (const row of rows) {
        expect(row).toHaveLength(header.length);
        for (const field of row) expect(field).not.toMatch(/^[=+\-@\t\r]/);
      }
    }),
  );
});
