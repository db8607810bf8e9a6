import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../../../salvo/src/text/output/safe-text.ts';
import { FOUND, sampleBlue, sampleRed, UNENCRYPTED, UNVERSIONED } from '../../../test/arena/sample-teams.ts';
import type { GameSetup } from '../../game/game-setup.ts';
import { playGame } from '../../game/play-game.ts';
import { JudgeAgent } from '../../match/judge-agent.ts';
import { renderGame } from './game-report.ts';
import { gameSarif } from './game-sarif.ts';

const play = (changes: Partial<GameSetup> = {}) =>
  playGame({
    task: 'three-zone-network',
    red: sampleRed(),
    blue: sampleBlue(),
    difficulty: 'hard',
    language: 'terraform',
    strategy: 'balanced',
    seed: 7,
    gate: async () => ({
      entries: [
        { vulnerability: UNENCRYPTED, status: 'confirmed', checks: [] },
        {
          vulnerability: UNVERSIONED,
          status: 'phantom',
          checks: [{ check: 'resource', outcome: 'failed', reason: 'there is no such bucket' }],
        },
        {
          vulnerability: { id: 'v3', type: 'iam' },
          status: 'unchecked',
          checks: [{ check: 'evidence', outcome: 'unchecked', reason: 'it quotes nothing' }],
        },
      ],
      manifest_accuracy: 0.5,
    }),
    judge: new JudgeAgent({ matcher: 'evidence' }),
    now: () => 0,
    ...changes,
  });
const LOOK = { width: 100, color: false };

describe('the scoreboard of a game', () => {
  test('shows the teams, the task, the winner, and what became of every flaw', async () => {
    const text = renderGame(await play(), LOOK);
    expect(text).toMatch(/^Red sample against Blue watchful\nNetwork across three zones\nhard, terraform, balanced/);
    expect(text).toMatch(/^✔ {2}v1 +high +encryption +plain +main\.tf:5$/m);
    expect(text).toMatch(/^ {3}aws_db_instance\.main: The storage of the database is not encrypted\.$/m);
    expect(text).toMatch(/^ {3}→ found by finding 0, Storage is not encrypted \(\d\.\d\d, (?:exact|partial)\)$/m);
    expect(text).toMatch(/^✖ {2}v2 /m);
    expect(text).toMatch(/^False alarms \(1: 1 on clean resources\)\n {2}○ 1 clean main\.tf:7 low encryption/m);
    expect(text).toMatch(/seed 7/);
    expect(text).not.toMatch(/Phantoms|cost/);
  });

  test('lists phantoms and what was not checked, with the reason', async () => {
    const text = renderGame(await play({ red: sampleRed(undefined, { proven: false }) }), LOOK);
    expect(text).toMatch(/^Phantoms: .*\(1 flaw\)\n {2}◌ v2 .*\n {6}there is no such bucket$/m);
    expect(text).toMatch(/^Not checked, and not scored \(1 flaw\)\n {2}◌ v3 iam\n {6}it quotes nothing$/m);
    expect(text).toMatch(/^Blue wins: it found 1 of 1 flaw\.$/m);
  });

  test('of a failed game shows which stage failed and why, and no metrics', async () => {
    const blue = { name: 'broken', analyze: () => Promise.reject(new Error('it hangs')) };
    const text = renderGame(await play({ blue }), LOOK);
    expect(text).toMatch(/◌ Blue failed, and nothing was scored: it hangs/);
    expect(text).not.toMatch(/Recall|wins/);
  });

  test('distinguishes a duplicate finding from a false alarm', async () => {
    const text = renderGame(await play({ blue: sampleBlue([FOUND, FOUND]) }), LOOK);
    expect(text).toMatch(/False alarms \(1: 0 on clean resources, 1 of a flaw that was found already\)/);
    expect(text).toMatch(/↻ 1 again v1/);
  });

  test.each([40, 60, 80])('keeps to %i columns, whatever the teams wrote', async (width) => {
    const long = 'x'.repeat(300);
    const red = sampleRed([{ ...UNENCRYPTED, id: long, title: `\u001b[31m${long}`, technique: long, file: long }]);
    const blue = { ...sampleBlue([{ ...FOUND, title: `${long}\n\u001b[2J`, rule_id: long }]), name: long };
    const lines = renderGame(await play({ red, blue }), { width, color: false }).split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).not.toMatch(/\u001b/);
  });

  test('shows what was below a minimum', async () => {
    expect(renderGame(await play(), { ...LOOK, messages: ['recall 0.5 is below 0.9'] })).toMatch(
      /^✖ recall 0\.5 is below 0\.9$/m,
    );
  });
});

describe('the SARIF of a game', () => {
  test('has what evaded Blue, at the code in the folder of the game', async () => {
    const [run] = gameSarif(await play({ blue: sampleBlue([]) }), 'out/g')?.runs ?? [];
    const place = run?.results[0]?.locations[0]?.physicalLocation;
    expect(place).toMatchObject({ artifactLocation: { uri: 'out/g/code/main.tf' }, region: { startLine: 5 } });
    expect(run?.results[0]?.message.text).toContain('Evaded watchful: v1');
    expect(run?.tool.driver.rules[0]?.properties['security-severity']).toBe('8.0');
  });

  test('is missing if nothing was scored: an empty one would close the alerts of earlier games', async () => {
    const blue = { name: 'broken', analyze: () => Promise.reject(new Error('it hangs')) };
    expect(gameSarif(await play({ blue }), undefined)).toBeNull();
  });
});
