import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleRun } from '../../../../../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../test/sample-trial.ts';
import { createRunProgress } from './run-progress.ts';
import type { Terminal } from './terminal.ts';
import { createWorkProgress } from './work-progress.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function pipe(): { terminal: Terminal; written: string[] } {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTTY: false, columns: 80, color: false };
  const { signal } = new AbortController();
  return { written, terminal: { cwd: '/', env: {}, stdout: output, stderr: output, stop: signal, abort: signal } };
}

test('failures are written as they come, the first twenty; the rest is only counted', () => {
  const { terminal, written } = pipe();
  const progress = createWorkProgress(terminal, { stopNote: '', now: Date.now });
  progress.start(100);
  for (let trial = 1; trial <= 50; trial += 1) {
    progress.failure(`trial ${trial}`);
    progress.state.failed += 1;
    progress.show();
  }
  expect(written).toHaveLength(21);
  expect([written[0], written[19], written[20]]).toEqual([
    'trial 1\n',
    'trial 20\n',
    'Further failures like these are counted, and shown in the report.\n',
  ]);
  vi.advanceTimersByTime(10_000);
  expect(written.at(-1)).toContain('50 failed');
  progress.finish();
});

test('a line comes every ten seconds even if nothing ever happens', () => {
  const { terminal, written } = pipe();
  const progress = createWorkProgress(terminal, { stopNote: '', now: Date.now });
  progress.start(3);
  vi.advanceTimersByTime(35_000);
  progress.finish();
  expect(written).toEqual(['[10s] 0/3 done · $0.00\n', '[20s] 0/3 done · $0.00\n', '[30s] 0/3 done · $0.00\n']);
});

test('what is under way is named, once each, and no longer when it has ended', () => {
  const { terminal } = pipe();
  const progress = createWorkProgress(terminal, { stopNote: '' });
  for (const name of ['a', 'a', 'b', 'c', 'd', 'e']) progress.begin(name);
  expect(progress.state).toMatchObject({ running: 6, current: 'a, b, c and 2 more' });
  for (const name of ['a', 'b', 'd', 'e']) progress.end(name);
  expect(progress.state).toMatchObject({ running: 2, current: 'a, c' });
});

test('what Ctrl-C does is said also when it is quiet, failures are not', () => {
  const { terminal, written } = pipe();
  const stop = new AbortController();
  const progress = createWorkProgress({ ...terminal, stop: stop.signal }, { stopNote: 'Finishing.', quiet: true });
  progress.start(3);
  progress.failure('trial 1');
  stop.abort();
  vi.advanceTimersByTime(60_000);
  progress.finish();
  expect(written).toEqual(['Finishing.\n']);
});

test('in a log, a failed trial is one line, with its reason before the name', () => {
  const { terminal, written } = pipe();
  const { onEvent, finish } = createRunProgress(terminal, { resumed: false });
  onEvent({ type: 'run_prepared', run: sampleRun(), warnings: [], uncalibrated: [] });
  onEvent({ type: 'run_started', planned: 6, repeated: 0, judgedAgain: 0, earlierTrials: 0 });
  const why = { assertion_id: 'says', score: 0, details: 'the answer does not contain "Done"' };
  const failed = sampleTrial({ trial_number: 2, status: 'failed', eval_results: [sampleEvalResult(why)] });
  for (const result of [sampleTrial(), failed, sampleTrial({ trial_number: 3, status: 'unscored' })]) {
    onEvent({ type: 'trial_finished', scenario: 0, result });
  }
  finish();
  expect(written).toEqual([
    `✖ lost order, trial 2: failed: the answer does not contain "Done" (says)\n`,
    `? lost order, trial 3: not scored: the provider was down\n`,
  ]);
});

test('forty equal crashes are two lines', () => {
  const { terminal, written } = pipe();
  const { onEvent, finish } = createRunProgress(terminal, { resumed: false });
  onEvent({ type: 'run_prepared', run: sampleRun(), warnings: [], uncalibrated: [] });
  onEvent({ type: 'run_started', planned: 40, repeated: 0, judgedAgain: 0, earlierTrials: 0 });
  for (let trial = 1; trial <= 40; trial += 1) {
    const result = sampleTrial({ trial_number: trial, status: 'crashed', error_message: 'no such key' });
    onEvent({ type: 'trial_finished', scenario: 0, result });
  }
  finish();
  expect(written).toEqual([
    '✖ lost order, trial 1: the agent crashed: no such key\n',
    'Further failures like these are counted, and shown in the report.\n',
  ]);
});

test('on a terminal, a failed trial has the command that shows its conversation', () => {
  const { terminal, written } = pipe();
  const stderr = { ...terminal.stderr, isTTY: true };
  const { onEvent, finish } = createRunProgress({ ...terminal, stderr }, { resumed: false });
  onEvent({ type: 'run_prepared', run: sampleRun(), warnings: [], uncalibrated: [] });
  onEvent({ type: 'run_started', planned: 6, repeated: 0, judgedAgain: 0, earlierTrials: 0 });
  onEvent({ type: 'trial_finished', scenario: 0, result: sampleTrial({ trial_number: 3, status: 'unscored' }) });
  finish();
  expect(written.join('')).toContain("salvo replay 'lost order' 3");
});
