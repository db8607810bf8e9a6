import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import { errorMessage, SalvoError } from '../../text/salvo-error.ts';
import type { BlueOutcome } from '../blue/blue-team.ts';
import type { GateEntry, GateResult } from '../gate/gate-result.ts';
import type { RedOutcome } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { buildGameDocument } from './build-game-document.ts';
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
    played.scored = withStatus(played.gate, 'confirmed').map(({ vulnerability }) => vulnerability);
    onStage({ type: 'gate_finished', ...gateCounts(played.gate) });
    if (played.scored.length === 0) throw nothingConfirmed(played.gate);

    begin('blue');
    played.blue = await askBlue(setup, red);
    onStage({ type: 'blue_finished', findings: played.blue.findings.length });

    begin('judge');
    played.results = await scoreFindings(setup, { red, scored: played.scored, blue: played.blue });
    onStage({
      type: 'judge_finished',
      found: played.results.truePositives,
      vulnerabilities: played.scored.length,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    played.cause = cause;
    failure = { stage, message: errorMessage(cause) };
    onStage({ type: 'stage_failed', ...failure });
  }
  return { ...played, game: buildGameDocument({ setup, played, failure, startedAt, endedAt: now() }) };
}

async function askRed(setup: GameSetup): Promise<RedOutcome> {
  const { task, red, difficulty, language, strategy, category, count, seed, signal } = setup;
  const outcome = await red.generate({
    task,
    difficulty,
    language,
    provider: 'aws',
    seed,
    strategy,
    category,
    count,
    signal,
  });
  checkFileNames(Object.keys(outcome.files));
  if (outcome.vulnerabilities.length > 0) return outcome;
  throw new RedTeamError('RED_NOTHING_HIDDEN', 'Red hid nothing, so there is nothing to find: try another seed.');
}

function askBlue({ blue, language, seed, signal }: GameSetup, { files }: RedOutcome): Promise<BlueOutcome> {
  // A copy, so that a Blue cannot change the code that is kept.
  return blue.analyze({ files: { ...files }, language, seed, signal });
}

function scoreFindings(
  { judge, signal }: GameSetup,
  { red, scored, blue }: { red: RedOutcome; scored: Vulnerability[]; blue: BlueOutcome },
): Promise<ScoreResults> {
  const { clean_resources } = red.metadata;
  const anchors = clean_resources.length > 0 ? { cleanResources: clean_resources } : undefined;
  return judge.scoreAsync({ vulnerabilities: scored }, blue.findings, anchors, { signal });
}

function withStatus({ entries }: GateResult, wanted: GateEntry['status']): GateEntry[] {
  return entries.filter(({ status }) => status === wanted);
}

function gateCounts(gate: GateResult) {
  return {
    confirmed: withStatus(gate, 'confirmed').length,
    phantoms: withStatus(gate, 'phantom').length,
    unchecked: withStatus(gate, 'unchecked').length,
  };
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
