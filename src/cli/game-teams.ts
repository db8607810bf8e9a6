import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import type { BlueTeam } from '../arena/blue/blue-team.ts';
import { createDebatingCaller } from '../arena/game/debate/debating-caller.ts';
import { createLlmRed } from '../arena/red/llm/llm-red.ts';
import { createMutationRed } from '../arena/red/mutation/create-mutation-red.ts';
import type { RedTeam } from '../arena/red/red-team.ts';
import { RedTeamError } from '../arena/red/red-team-error.ts';
import { type BlueContext, createBlue } from '../arena/teams/create-team.ts';
import { blueWithMode, parseTeamName, type TeamName } from '../arena/teams/team-name.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import type { ModelCaller } from '../models/model-caller.ts';
import { openJudging } from '../models/model-services.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { GameCommandOptions } from './program/commands.ts';
import type { Terminal } from './terminal/terminal.ts';

interface GameTeams extends AsyncDisposable {
  red: RedTeam;
  blue: BlueTeam;
  blueName: TeamName;
  judge: JudgeAgent;
}

/** The teams and the judge that a command line names. Whoever cannot play is refused here, before anything starts. */
export async function openGameTeams(options: GameCommandOptions, terminal: Terminal): Promise<GameTeams> {
  const { cwd, env } = terminal;
  const redName = (options.red ?? 'mutation').trim();
  const blueText =
    options.blueCommand === undefined
      ? blueWithMode(options.blue ?? 'rules', options.mode)
      : `command:${options.blueCommand}`;
  // Without a model there is nothing in salvo.yaml that a game needs.
  const asksModels = /(?:^|[:+])\s*llm:/.test(`${redName}+${blueText}`) || options.verify !== undefined;
  const models = asksModels ? await openModels(options, terminal) : null;
  try {
    const adapters = Object.keys(models?.project.config.adapters ?? {});
    const adapter = options.adapter ?? models?.project.config.default_adapter;
    const blueName = parseTeamName(blueText, { adapter, adapters });
    for (const name of modelsOf(blueName)) models?.check(name);
    const context: BlueContext = {
      models: models?.caller,
      adapter,
      adapters,
      env,
      root: cwd,
      format: options.blueFormat,
      technique: options.technique,
      framework: options.framework,
      category: options.blueCategory,
      combine: options.combine,
      specialists: options.combine === undefined ? undefined : true,
    };
    return {
      red: redTeam(redName, { options, models, adapter, adapters }),
      blue: createBlue(blueText, context),
      blueName,
      judge: judgeOf(options, models),
      [Symbol.asyncDispose]: async () => models?.caller.close(),
    };
  } catch (error) {
    await models?.caller.close();
    throw error;
  }
}

interface GameModels {
  project: Project;
  caller: ModelCaller;
  cache: Awaited<ReturnType<typeof openJudging>>['voteCache'];
  /** Throws when the adapter cannot be called. */
  check(adapter: string): void;
}

async function openModels({ judgeCache }: GameCommandOptions, { cwd, env }: Terminal): Promise<GameModels> {
  const project = await loadProject(cwd);
  const { models: caller, voteCache: cache } = await openJudging({ project, env, cache: judgeCache });
  return {
    project,
    caller,
    cache,
    check: (adapter) => checkAdapterReady(adapter, { root: project.root, adapters: project.config.adapters, env }),
  };
}

function redTeam(
  name: string,
  known: {
    options: GameCommandOptions;
    models: GameModels | null;
    adapter: string | undefined;
    adapters: readonly string[];
  },
): RedTeam {
  const { options, models } = known;
  if (name === 'mutation') return createMutationRed();
  // The names of models are the same for both teams.
  const model = name.startsWith('llm:') && models ? parseTeamName(name, known) : null;
  if (model?.kind !== 'llm' || !models) {
    throw new RedTeamError(
      'UNKNOWN_RED',
      `There is no Red Team ${JSON.stringify(name.slice(0, 100))}. Known are mutation, llm:MODEL and llm:ADAPTER/MODEL.`,
    );
  }
  models.check(model.adapter);
  return createLlmRed({
    models: models.caller,
    adapter: model.adapter,
    model: model.model,
    architecture: options.redArchitecture,
    source: options.redSource,
  });
}

function judgeOf({ verify, judge, judgeModel }: GameCommandOptions, models: GameModels | null): JudgeAgent {
  if (verify === undefined || !models) return new JudgeAgent({ matcher: 'evidence' });
  const configured = models.project.config.judge;
  const adapter = judge ?? configured.adapter ?? models.project.config.default_adapter;
  models.check(adapter);
  return new JudgeAgent({
    matcher: 'evidence',
    llm: {
      adapter,
      model: judgeModel ?? configured.model,
      k: 1,
      caller: createDebatingCaller(models.caller),
      cache: models.cache,
    },
  });
}

function modelsOf(name: TeamName): string[] {
  if (name.kind === 'several') return name.parts.flatMap(modelsOf);
  return name.kind === 'llm' ? [name.adapter] : [];
}
