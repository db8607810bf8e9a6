import type { ProjectModels } from 'salvo/kit/project';
import type { DetectionMode } from '../../blue/blue-team.ts';
import type { Combination, Framework, Technique } from '../../blue/llm/technique.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import type { LlmRedOptions } from '../../red/llm/llm-red.ts';
import { createBlue, createRed } from '../../teams/create-team.ts';
import { blueInMode, namedModels, parseBlueName, parseRedName } from '../../teams/team-name.ts';

/** How named teams work. Each setting concerns the teams that know it. */
export interface TeamSettings {
  /** The adapter of models that are named without one; `default_adapter` of salvo.yaml if not given. */
  adapter?: string | undefined;
  /** The format of a command's report. */
  format?: FindingsFormat | undefined;
  technique?: Technique | undefined;
  framework?: Framework | undefined;
  /** For the technique `targeted`. */
  blueCategory?: string | undefined;
  /** Makes a model of Blue an ensemble of specialists, and says how they agree. */
  combine?: Combination | undefined;
  redArchitecture?: LlmRedOptions['architecture'];
  redSource?: LlmRedOptions['source'];
}

/** The named teams of a game or of an experiment, ready to play. Throws when a name is unknown, or when an adapter cannot be called yet. */
export async function createTeams(
  names: {
    red: readonly string[];
    blue: readonly string[];
    /** Reduces every Blue to the teams that the mode allows. */
    mode?: DetectionMode | undefined;
  },
  settings: TeamSettings,
  place: { services: ProjectModels | null; env: Record<string, string | undefined>; cwd: string },
) {
  const { services, env, cwd } = place;
  const config = services?.project.config;
  const context = {
    models: services?.models,
    adapter: settings.adapter ?? config?.default_adapter,
    adapters: Object.keys(config?.adapters ?? {}),
  };
  const { mode } = names;
  const reds = names.red.map((name) => ({ name, parsed: parseRedName(name, context) }));
  const blues = names.blue.map((name) => {
    const parsed = parseBlueName(name, context);
    return { name, parsed: mode === undefined ? parsed : blueInMode(parsed, mode) };
  });
  const called = namedModels([...blues, ...reds].map(({ parsed }) => parsed));
  for (const { adapter } of called) await services?.checkReady(adapter);
  const redContext = { ...context, env, architecture: settings.redArchitecture, source: settings.redSource };
  const { format, technique, framework, blueCategory: category, combine } = settings;
  const specialists = combine === undefined ? undefined : (true as const);
  const blueContext = { ...context, env, root: cwd, format, technique, framework, category, combine, specialists };
  return {
    /** By a name that was asked for, as the Blues. */
    red: lookUp(new Map(reds.map(({ name, parsed }) => [name, createRed(parsed, redContext)]))),
    blue: lookUp(new Map(blues.map(({ name, parsed }) => [name, createBlue(parsed, blueContext)]))),
    blueNames: blues.map(({ parsed }) => parsed),
    /** The models that the teams ask. */
    models: called,
    /** The models that one of them asks. */
    modelsOf: (team: 'red' | 'blue', name: string) =>
      namedModels((team === 'red' ? reds : blues).flatMap((each) => (each.name === name ? [each.parsed] : []))),
  };
}

function lookUp<T>(teams: ReadonlyMap<string, T>): (name: string) => T {
  return (name) => {
    const team = teams.get(name);
    if (team === undefined) throw new Error(`The team ${JSON.stringify(name)} was not asked for.`);
    return team;
  };
}
