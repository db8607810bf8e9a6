import { errorMessage, SalvoError } from 'salvo/kit/text';
import type { GateResult } from '../gate/gate-result.ts';
import { codeBlocks } from '../iac/read/code-blocks.ts';
import { locateVulnerabilities } from '../match/source/locate-in-source.ts';
import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { buildGameDocument, gateCounts } from './build-game-document.ts';
import { checkFileNames } from './check-file-names.ts';
import type { GameSetup } from './game-setup.ts';
import type { GameStage, PlayedGame } from './played-game.ts';
import { gateManifest } from './truth-gate.ts';
import { unresolvedValues } from './unresolved-values.ts';

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
    blueOnTwin: null,
    blueSeconds: null,
    twinResources: null,
    unresolved: null,
    results: null,
    cause: null,
  };
  let stage: GameStage = 'red';
  let isOnTwin = false;
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
    const { gate, scored } = await gateManifest(red, setup.gate);
    played.gate = gate;
    played.scored = scored;
    onStage({ type: 'gate_finished', ...gateCounts(gate) });
    if (scored.length === 0) throw nothingConfirmed(gate);

    begin('blue');
    // A copy of the files, so that a Blue cannot change the code that is kept.
    const { blue, language, seed } = setup;
    // Another run of a model must not get the same answer from a cache, or by the same seed.
    const request = { language, seed: seed + (setup.place?.run ?? 0), signal };
    const blueStartedAt = now();
    played.blue = await blue.analyze({ ...request, files: { ...files } });
    const { twin } = metadata;
    if (twin && setup.onTwin !== false) {
      isOnTwin = true;
      played.blueOnTwin = await blue.analyze({ ...request, files: { ...twin } });
      isOnTwin = false;
    }
    played.blueSeconds = Math.max(0, now() - blueStartedAt) / 1000;
    onStage({
      type: 'blue_finished',
      findings: played.blue.findings.length,
      onTwin: played.blueOnTwin?.findings.length ?? null,
    });

    begin('judge');
    const { clean_resources: cleanResources, present_before } = metadata;
    // For each Blue, since every Blue reports something else.
    played.unresolved = played.blueOnTwin && twin ? await unresolvedValues(twin, played.blueOnTwin.findings) : null;
    const { unresolved, blueOnTwin } = played;
    const evidence = {
      ...(cleanResources.length > 0 ? { cleanResources } : {}),
      ...(blueOnTwin && { twinFindings: blueOnTwin.findings, repeatable: setup.repeatable }),
      ...(unresolved && { unresolved }),
    };
    const manifest = { vulnerabilities: await locateVulnerabilities(scored, files), present_before };
    played.results = await setup.judge.scoreAsync(
      manifest,
      played.blue.findings,
      Object.keys(evidence).length > 0 ? evidence : undefined,
      { signal },
    );
    played.twinResources = played.blueOnTwin && twin ? await resourcesOf(twin) : null;
    onStage({ type: 'judge_finished', found: played.results.truePositives, vulnerabilities: scored.length });
  } catch (cause) {
    signal?.throwIfAborted();
    played.cause = cause;
    failure = { stage, message: `${isOnTwin ? 'On the clean twin: ' : ''}${errorMessage(cause)}` };
    onStage({ type: 'stage_failed', ...failure });
  }
  return { ...played, game: buildGameDocument({ setup, played, failure, startedAt, endedAt: now() }) };
}

/** The addresses of all resources in the code. */
async function resourcesOf(files: Record<string, string>): Promise<string[]> {
  const blocks = await codeBlocks(files);
  return [...new Set(blocks.filter(({ kind }) => kind === 'resource').map(({ address }) => address))];
}

/** What Red delivers, checked: it has hidden something, and its files can be written to any folder. */
export async function askRed(setup: Omit<RedRequest, 'provider'> & { red: RedTeam }): Promise<RedOutcome> {
  const { task, difficulty, language, strategy, category, count, size, density, housekeeping, seed } = setup;
  const { red, template, signal } = setup;
  const asked = { task, difficulty, language, strategy, category, count, size, density, housekeeping, seed };
  const request = { ...asked, template, signal };
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
    'RED_NOTHING_CONFIRMED',
    `Nothing that Red claims could be confirmed (${parts.join(', ')}), so there is nothing to score against.`,
  );
}
