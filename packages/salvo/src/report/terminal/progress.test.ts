import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { displayWidth } from '../../text/output/safe-text.ts';
import { createStyle } from './look.ts';
import { createProgress } from './progress.ts';
import { type ProgressState, progressLines } from './progress-lines.ts';

const state: ProgressState = {
  done: 3,
  passed: 2,
  failed: 1,
  unscored: 0,
  cost: { usd: 0.02 },
  judgeCost: { usd: 0 },
  running: 4,
  retries: 0,
};

function terminal(change: { isTTY?: boolean } = {}) {
  const written: string[] = [];
  const output = {
    write: (text: string) => void written.push(text),
    isTTY: change.isTTY ?? true,
    columns: 80,
    color: false,
  };
  return { written, output };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe('createProgress', () => {
  test('writes a line every ten seconds, and notes, when the output is no terminal', () => {
    const { written, output } = terminal({ isTTY: false });
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update({ ...state, unscored: 1, retries: 2, current: 'refund, orders' });
    progress.note('rate limited\u001b[2J');
    vi.advanceTimersByTime(9999);
    expect(written).toEqual(['rate limited␛[2J\n']);
    vi.advanceTimersByTime(1);
    progress.update({ ...state, done: 10, running: 0 });
    vi.advanceTimersByTime(25_000);
    progress.finish();
    vi.advanceTimersByTime(60_000);
    expect(written.slice(1)).toEqual([
      '[10s] 3/10 done · 67% pass · 1 failed · 1 not scored · $0.0200 · 2 retries · 4 running: refund, orders · about 23s left\n',
      '[20s] 10/10 done · 67% pass · 1 failed · $0.0200\n',
      '[30s] 10/10 done · 67% pass · 1 failed · $0.0200\n',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a live display for a terminal without Unicode is ASCII', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now, ascii: true });
    progress.update(state);
    progress.note('✖ refund, trial 1: failed');
    progress.finish();
    expect(written.join('')).toContain('x refund');
    expect(written.join('')).toMatch(/^[\x20-\x7e\r\n\u001b]*$/);
  });

  test('writes lines in ASCII on a terminal without Unicode and escape sequences', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now, ascii: true, dumb: true });
    progress.update(state);
    progress.note('✖ refund, trial 1: failed');
    vi.advanceTimersByTime(10_000);
    progress.finish();
    expect(written).toHaveLength(2);
    expect(written.join('')).toMatch(/^[\x20-\x7e\n]*$/);
  });

  test('writes only notes when it is quiet', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now, quiet: true });
    progress.update(state);
    progress.note('Finishing the trials under way.');
    vi.advanceTimersByTime(60_000);
    progress.finish();
    expect(written).toEqual(['Finishing the trials under way.\n']);
  });

  test('draws at most ten frames a second, and the latest state', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 1000, now: Date.now });
    for (let done = 0; done < 500; done += 1) {
      progress.update({ ...state, done });
      vi.advanceTimersByTime(2);
    }
    vi.advanceTimersByTime(100);
    expect(written.length).toBeLessThanOrEqual(12);
    expect(written.at(-1)).toContain('499/1,000');
    progress.finish();
  });

  test('goes on showing that time passes while nothing completes', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update(state);
    vi.advanceTimersByTime(5000);
    expect(written.at(-1)).toContain('5s');
    progress.finish();
  });

  test('clears what it drew, and draws nothing after the end', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update(state);
    progress.finish();
    expect(written.at(-1)).toBe('\r\u001b[1A\u001b[J');
    const count = written.length;
    progress.update({ ...state, done: 4 });
    progress.finish();
    vi.advanceTimersByTime(5000);
    expect(written).toHaveLength(count);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a note stays above the display', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update(state);
    progress.note('budget nearly used');
    expect(written.at(-1)).toMatch(/^\r\u001b\[1A\u001b\[Jbudget nearly used\n.*3\/10/);
    progress.finish();
    progress.note('after the end');
    expect(written.at(-1)).toBe('after the end\n');
  });

  test('leaves room for the ^C that the terminal writes behind it', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update({ ...state, current: 'x'.repeat(200) });
    const longest = Math.max(...(written.at(-1) ?? '').split('\n').map((line) => line.length));
    expect(longest + '^C'.length).toBeLessThan(80);
    progress.note('Finishing the trials under way. Ctrl-C again gives them up; --resume runs what is missing.');
    expect(written.at(-1)).toContain('--resume runs what\nis missing.\n');
    progress.finish();
  });

  test('clears the rows its lines were broken into by a narrower terminal', () => {
    const { written, output } = terminal();
    const progress = createProgress({ output, total: 10, now: Date.now });
    progress.update({ ...state, current: 'x'.repeat(200) });
    output.columns = 40;
    vi.advanceTimersByTime(1000);
    // The first line took 57 columns and the second 77: two rows each at 40 columns.
    expect(written.at(-1)).toMatch(/^\r\u001b\[3A\u001b\[J/);
    progress.finish();
  });
});

describe('progressLines', () => {
  const options = { total: 10, elapsedSeconds: 6, doneBefore: 0, width: 79, style: createStyle(false) };

  test('shows how far the run is, how it goes, and when it will be done', () => {
    const text = progressLines({ ...options, state: { ...state, retries: 2, current: 'refund #4' } });
    expect(text).toEqual([
      '███████▎░░░░░░░░░░░░░░░░  3/10  67% pass  14s left  1 failed',
      '6s  $0.0200  2 retries  4 running  refund #4',
    ]);
  });

  test('two trials make a rate, one does not', () => {
    expect(progressLines({ ...options, state: { ...state, done: 1 } }).join()).not.toContain('left');
    expect(progressLines({ ...options, state: { ...state, done: 2 } }).join()).toContain('left');
  });

  test('trials from before a resume say nothing of the speed', () => {
    expect(progressLines({ ...options, doneBefore: 2, state }).join()).not.toContain('left');
  });

  test('an unknown cost is unknown', () => {
    expect(progressLines({ ...options, state: { ...state, cost: { usd: null } } }).join()).toContain('cost unknown');
  });

  test('what judges cost is said apart', () => {
    const [, second] = progressLines({ ...options, state: { ...state, judgeCost: { usd: 0.001 } } });
    expect(second).toContain('$0.0200 + $0.0010 judges');
  });

  test('no line is wider than it may be or acts on the terminal', () => {
    const count = fc.nat(100_000);
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
    const cost = fc.oneof(
      fc.record({ usd: fc.option(amount) }),
      fc.record({
        usd: fc.constant(null),
        at_least: fc.record({ usd: amount, calls_unknown: count, killed: fc.boolean() }),
      }),
    );
    const anyState = fc.record({
      done: count,
      passed: count,
      failed: count,
      unscored: count,
      cost,
      judgeCost: cost,
      running: count,
      retries: count,
      current: fc.constantFrom(...HOSTILE_TEXTS),
    });
    fc.assert(
      fc.property(anyState, count, fc.integer({ min: 1, max: 120 }), fc.nat(100_000), (any, total, width, elapsed) => {
        const lines = progressLines({ ...options, state: any, total, width, elapsedSeconds: elapsed });
        expect(lines).toHaveLength(2);
        for (const line of lines) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
    );
  });
});
