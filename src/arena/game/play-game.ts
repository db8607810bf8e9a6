import { errorMessage, SalvoError } from '../../text/salvo-error.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { buildGameDocument, gateCounts } from './build-game-document.ts';
import { checkFileNames } from './check-file-names.ts';
import type { GameSetup } from './game-setup.ts';
import type { GameStage, PlayedGame } from './played-game.ts';
import { provenGate } from './truth-gate.ts';

/**
 * Plays one Red against one Blue and scores the findings against what the gate confirmed. When a team fails the game is
 * failed, never a game without findings. Rejects only when `signal` is aborted.
 */
export async function playGame(setup: GameSetup): Promise<PlayedGame> {
  const { onStage = () => {}, now = Date.now, signal } = setup;
  const startedAt = now();
  const played: Omit<PlayedGame, 'game'> = {
    red: null,
    gate: null,
    scored: [],
    blue: null,
    results: null,
    cause: null,
  };
  let stage: GameStage = 'red';
  let failure: { stage: GameStage; message: string } | null = null;
  const begin = (next: GameStage): void => {
    signal?.throwIfAborted();
    stage = next;
    onStage({ type: 'stage_started', stage });
  };
  try {
    begin('red');
    const red = await askRed(setup);
    played.red = red;
    const { files, vulnerabilities, metadata } = red;
    onStage({
      type: 'red_finished',
      files: Object.keys(files).length,
      vulnerabilities: vulnerabilities.length,
      template: metadata.template,
    });

    begin('gate');
    played.gate = metadata.proven ? provenGate(vulnerabilities) : await setup.gate({ files, vulnerabilities });
    played.scored = played.gate.entries
      .filter(({ status }) => status === 'confirmed')
      .map(({ vulnerability }) => vulnerability);
    onStage({ type: 'gate_finished', ...gateCounts(played.gate) });
    if (played.scored.length === 0) throw nothingConfirmed(played.gate);

    begin('blue');
    // A copy of the files, so that a Blue cannot change the code that is kept.
    const { blue, language, seed } = setup;
    played.blue = await blue.analyze({ files: { ...files }, language, seed, signal });
    onStage({ type: 'blue_finished', findings: played.blue.findings.length });

    begin('judge');
    const { scored } = played;
    const cleanResources = metadata.clean_resources;
    const anchors = cleanResources.length > 0 ? { cleanResources } : undefined;
    played.results = await setup.judge.scoreAsync({ vulnerabilities: scored }, played.blue.findings, anchors, {
      signal,
    });
    onStage({ type: 'judge_finished', found: played.results.truePositives, vulnerabilities: scored.length });
  } catch (cause) {
    signal?.throwIfAborted();
    played.cause = cause;
    failure = { stage, message: errorMessage(cause) };
    onStage({ type: 'stage_failed', ...failure });
  }
  return { ...played, game: buildGameDocument({ setup, played, failure, startedAt, endedAt: now() }) };
}

/** What Red delivers, checked: it has hidden something, and its files can be written to any folder. */
export async function askRed(setup: Omit<RedRequest, 'provider'> & { red: RedTeam }): Promise<RedOutcome> {
  const { task, red, difficulty, language, strategy, category, count, seed, signal } = setup;
  const request = { task, difficulty, language, strategy, category, count, seed, signal };
  const outcome = await red.generate({ ...request, provider: 'aws' });
  checkFileNames(Object.keys(outcome.files));
  if (outcome.vulnerabilities.length > 0) return outcome;
  throw new RedTeamError('RED_NOTHING_HIDDEN', 'Red hid nothing, so there is nothing to find: try another seed.');
}

function nothingConfirmed(gate: GateResult): SalvoError {
  const { phantoms, unchecked } = gateCounts(gate);
  const parts = [
    ...(phantoms > 0 ? [`${phantoms} not in the code`] : []),
    ...(unchecked > 0 ? [`${unchecked} could not be checked`] : []),
  ];
  return new SalvoError(
    'NOTHING_CONFIRMED',
    `Nothing that Red claims could be confirmed (${parts.join(', ')}), so there is nothing to score against.`,
  );
}
