import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { JudgeAgent } from '../../match/judge-agent.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { BlueOutcome, BlueTeam, DetectionMode } from '../blue/blue-team.ts';
import type { Difficulty, Strategy } from '../game-settings.ts';
import type { GateEntry, GateResult } from '../gate/gate-result.ts';
import type { RedOutcome, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { buildGameDocument } from './build-game-document.ts';
import { checkFileNames } from './check-file-names.ts';
import type { GameEvent, GameStage, PlayedGame } from './played-game.ts';
import { provenGate } from './truth-gate.ts';

/** Checks what a Red claims; `checkManifest` with whatever checker may be used. */
export type ManifestGate = (code: {
  files: Record<string, string>;
  vulnerabilities: Vulnerability[];
}) => Promise<GateResult>;

export interface GameSetup {
  /** The id of a task in the catalogue, or a text. */
  task: string;
  red: RedTeam;
  blue: BlueTeam;
  difficulty: Difficulty;
  language: CodeLanguage;
  strategy: Strategy;
  category?: string | undefined;
  count?: number | undefined;
  seed: number;
  mode?: DetectionMode | undefined;
  /** Not asked about a Red whose entries are true by construction. */
  gate: ManifestGate;
  judge: Pick<JudgeAgent, 'scoreAsync'>;
  /** What the game is in an experiment; a game that is played alone is named by its content. */
  place?: { gameId: string; experimentId: string; codeKey: string; repetition: number } | undefined;
  onStage?: ((event: GameEvent) => void) | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Plays one Red against one Blue and has the findings scored against what the gate confirmed. A team that fails gives a
 * game that failed, never one without findings; rejects only when `signal` is aborted.
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
    const red = await hide(setup);
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
    if (played.scored.length === 0) throw nothingTrue(played.gate);

    begin('blue');
    played.blue = await find(setup, red);
    onStage({ type: 'blue_finished', findings: played.blue.findings.length });

    begin('judge');
    played.results = await decide(setup, { red, scored: played.scored, blue: played.blue });
    onStage({
      type: 'judge_finished',
      found: played.results.truePositives,
      vulnerabilities: played.scored.length,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    played.cause = cause;
    failure = { stage, message: cause instanceof Error ? cause.message : String(cause) };
    onStage({ type: 'stage_failed', ...failure });
  }
  return { ...played, game: buildGameDocument({ setup, played, failure, startedAt, endedAt: now() }) };
}

async function hide(setup: GameSetup): Promise<RedOutcome> {
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

function find({ blue, language, mode, seed, signal }: GameSetup, { files }: RedOutcome): Promise<BlueOutcome> {
  // A copy: whatever a Blue does with it, the code that is kept is the code that was made.
  return blue.analyze({ files: { ...files }, language, mode, seed, signal });
}

function decide(
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

function nothingTrue(gate: GateResult): SalvoError {
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
