import { describe, expect, test } from 'vitest';
import type { GameEvent } from '../../arena/game/played-game.ts';
import { createGameProgress } from './game-progress.ts';

const EVENTS: GameEvent[] = [
  { type: 'stage_started', stage: 'red' },
  { type: 'red_finished', files: 2, vulnerabilities: 3, template: 'orders' },
  { type: 'stage_started', stage: 'gate' },
  { type: 'gate_finished', confirmed: 1, phantoms: 1, unchecked: 1 },
  { type: 'stage_started', stage: 'blue' },
  { type: 'stage_failed', stage: 'blue', message: 'no\u001b[2Jscanner' },
];

function shown({ isTTY = true, env = {} }: { isTTY?: boolean; env?: Record<string, string> }): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  const stderr = { isTTY, columns: 80, color: false, write };
  const onStage = createGameProgress({ stderr, env });
  for (const event of EVENTS) onStage(event);
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

  test('are silent without a terminal', () => {
    expect(shown({ isTTY: false })).toBe('');
  });

  test('use no escape sequences on a dumb terminal', () => {
    expect(shown({ env: { TERM: 'dumb' } })).toMatch(/^[\x20-\x7e\n␛]*$/);
  });
});
