import { describe, expect, test, vi } from 'vitest';
import type { GameEvent } from '../../game/played-game.ts';
import { createGameProgress } from './game-progress.ts';

const EVENTS: GameEvent[] = [
  { type: 'stage_started', stage: 'red' },
  { type: 'red_finished', files: 2, vulnerabilities: 3, template: 'orders' },
  { type: 'stage_started', stage: 'gate' },
  { type: 'gate_finished', confirmed: 1, phantoms: 1, unchecked: 1 },
  { type: 'stage_started', stage: 'blue' },
  { type: 'stage_failed', stage: 'blue', message: 'no\u001b[2Jscanner' },
];

interface Shown {
  isTTY?: boolean;
  env?: Record<string, string>;
  quiet?: boolean;
}

function shown({ isTTY = true, env = {}, quiet = false }: Shown): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  const stderr = { isTTY, columns: 80, color: false, write };
  const { onEvent, finish } = createGameProgress({ stderr, env }, { quiet });
  for (const event of EVENTS) onEvent(event);
  finish();
  return text;
}

describe('the live stages of a game', () => {
  test('are one line each, which is overwritten when the stage is over', () => {
    expect(shown({})).toBe(
      [
        '\r\u001b[K… Red hides flaws\r\u001b[K✔ Red hid 3 flaws in 2 files of the template orders\n',
        '\r\u001b[K… The gate checks what Red claims\r\u001b[K✔ The gate confirmed 1 flaw (1 phantom, 1 not checked)\n',
        '\r\u001b[K… Blue looks for them\r\u001b[K✖ Blue looks for them: no␛[2Jscanner\n\n',
      ].join(''),
    );
  });

  test('are not shown without a terminal or with --quiet', () => {
    expect(shown({ isTTY: false })).toBe('');
    expect(shown({ quiet: true })).toBe('');
  });

  test('are a line every ten seconds without a terminal', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      const written: string[] = [];
      const stderr = { isTTY: false, columns: 80, color: false, write: (text: string) => void written.push(text) };
      const { onEvent, finish } = createGameProgress({ stderr, env: {} }, { now: Date.now });
      onEvent({ type: 'stage_started', stage: 'red' });
      vi.advanceTimersByTime(12_000);
      onEvent({ type: 'red_finished', files: 2, vulnerabilities: 3, template: 'orders' });
      onEvent({ type: 'stage_started', stage: 'blue' });
      vi.advanceTimersByTime(60_000);
      finish();
      vi.advanceTimersByTime(60_000);
      expect(written).toHaveLength(7);
      expect([written[0], written[1], written[6]]).toEqual([
        '[10.0s] Red hides flaws\n',
        '[20.0s] Blue looks for them\n',
        '[1m 10s] Blue looks for them\n',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('wrap the message of a failed stage instead of cutting it', () => {
    const message = `${'word '.repeat(40)}end`;
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const stderr = { isTTY: true, columns: 40, color: false, write };
    createGameProgress({ stderr, env: {} }, {}).onEvent({ type: 'stage_failed', stage: 'blue', message });
    expect(text).toMatch(/end\n\n$/);
    expect(
      Math.max(
        ...text
          .replaceAll('\r\u001b[K', '')
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(40);
  });

  test('use no escape sequences on a dumb terminal', () => {
    expect(shown({ env: { TERM: 'dumb' } })).toMatch(/^[\x20-\x7e\n␛]*$/);
  });
});
