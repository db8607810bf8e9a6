import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import { adapterType } from '../adapters/registry.ts';
import type { BlueTeam } from '../arena/blue/blue-team.ts';
import { findScanner } from '../arena/blue/scanners/find-scanner.ts';
import { SCANNERS } from '../arena/blue/scanners/scanners.ts';
import type { ExperimentPlan } from '../arena/experiment/plan/experiment-plan.ts';
import type { ManifestGate } from '../arena/game/play-game.ts';
import { truthGate } from '../arena/game/truth-gate.ts';
import { createLlmRed } from '../arena/red/llm/llm-red.ts';
import { createMutationRed } from '../arena/red/mutation/create-mutation-red.ts';
import type { RedTeam } from '../arena/red/red-team.ts';
import { RedTeamError } from '../arena/red/red-team-error.ts';
import { createTwinRed, TWIN_RED } from '../arena/red/twin-red.ts';
import { createBlue } from '../arena/teams/create-team.ts';
import { parseTeamName, type TeamName } from '../arena/teams/team-name.ts';
import { openJudging } from '../models/model-services.ts';
import { refuseUnknownPrices } from '../models/unknown-prices.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Terminal } from './terminal/terminal.ts';

interface ExperimentTeams extends AsyncDisposable {
  redOf: (name: string) => RedTeam;
  isRepeatable: (red: string) => boolean;
  blueOf: (name: string) => BlueTeam;
  gate: ManifestGate;
}

const OFFLINE_REDS: Record<string, () => RedTeam> = {
  mutation: createMutationRed,
  [TWIN_RED]: () => createTwinRed(),
};

/** Everybody who plays in an experiment. Whoever cannot play is refused here, before anything is paid for. */
export async function openExperimentTeams(options: {
  plan: ExperimentPlan;
  project: Project;
  budgetUsd: number | null;
  terminal: Pick<Terminal, 'cwd' | 'env'>;
}): Promise<ExperimentTeams> {
  const { plan, project, terminal } = options;
  const { config, root } = project;
  const { env, cwd } = terminal;
  const names = { adapter: config.default_adapter, adapters: Object.keys(config.adapters) };
  const redNames = plan.red.filter((name) => !isOffline(name)).map((name) => parseTeamName(name, names));
  const blueNames = plan.blue.map((name) => parseTeamName(name, names));
  const called = [...redNames, ...blueNames].flatMap(modelsOf);
  const { models, pricing } = await openJudging({ project, env, cache: false });
  try {
    for (const { adapter } of called) checkAdapterReady(adapter, { root, adapters: config.adapters, env });
    if (options.budgetUsd !== null) {
      await refuseUnknownPrices({
        called: called.map(({ adapter, model }) => ({
          adapterName: adapter,
          provider: models.providerName(adapter),
          model,
          relativeFile: plan.name,
        })),
        pricing,
        typeOf: (name) => adapterType(name, { adapters: config.adapters }),
      });
    }
    for (const name of blueNames) refuseMissingScanners(name, plan.language, { env, root: cwd });
    const { technique, framework, combine, format } = plan;
    const context = { ...names, models, env, root: cwd, format, technique, framework, combine };
    const specialists = combine === undefined ? undefined : true;
    const blues = new Map(plan.blue.map((name) => [name, createBlue(name, { ...context, specialists })]));
    const reds = new Map(plan.red.map((name) => [name, redTeam(name)]));
    return {
      redOf: (name) => reds.get(name) ?? redTeam(name),
      isRepeatable: isOffline,
      blueOf: (name) => blues.get(name) ?? createBlue(name, context),
      // One gate for all Blues, or they would not be measured against the same truth.
      gate: truthGate({ kind: 'several', parts: blueNames }),
      [Symbol.asyncDispose]: () => models.close(),
    };
  } catch (error) {
    await models.close();
    throw error;
  }

  function redTeam(name: string): RedTeam {
    const offline = OFFLINE_REDS[name];
    if (offline) return offline();
    const parsed = parseTeamName(name, names);
    if (parsed.kind !== 'llm') throw new RedTeamError('UNKNOWN_RED', `There is no Red Team ${JSON.stringify(name)}.`);
    const { red_architecture: architecture, red_source: source } = plan;
    return createLlmRed({ models, adapter: parsed.adapter, model: parsed.model, architecture, source });
  }
}

function isOffline(red: string): boolean {
  return Object.hasOwn(OFFLINE_REDS, red);
}

function modelsOf(name: TeamName): { adapter: string; model: string }[] {
  if (name.kind === 'several') return name.parts.flatMap(modelsOf);
  return name.kind === 'llm' ? [name] : [];
}

/** Else every game of it would fail, one by one. */
function refuseMissingScanners(
  name: TeamName,
  languages: ExperimentPlan['language'],
  context: { env: Terminal['env']; root: string },
): void {
  if (name.kind === 'several') for (const part of name.parts) refuseMissingScanners(part, languages, context);
  if (name.kind !== 'scanner') return;
  const scanner = SCANNERS.find((each) => each.name === name.scanner);
  for (const each of scanner ? languages : []) {
    const found = scanner && findScanner(scanner, each, context);
    if (found && 'missing' in found) throw new SalvoError('SCANNER_MISSING', `${found.missing}.`);
  }
}
