import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import type { FindingsFormat } from '../../match/findings-format.ts';
import { environmentModels } from '../../models/environment-models.ts';
import type { ModelCaller } from '../../models/model-caller.ts';
import type { BlueTeam } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createHybridBlue } from '../blue/hybrid-blue.ts';
import { createLlmBlue, type LlmBlueOptions } from '../blue/llm/llm-blue.ts';
import { createRulesBlue } from '../blue/rules/rules-blue.ts';
import { createCommandBlue } from '../blue/scanners/command-blue.ts';
import { createScannerBlue } from '../blue/scanners/scanner-blue.ts';
import { SCANNERS } from '../blue/scanners/scanners.ts';
import { parseTeamName, type TeamName } from './team-name.ts';

/** What Blue Teams are made with; everything has a default. */
export interface BlueContext extends Omit<LlmBlueOptions, 'models' | 'adapter' | 'model'> {
  /** What calls models; when missing, one made from the environment. */
  models?: ModelCaller | undefined;
  /** Of models that are named without one. */
  adapter?: string | undefined;
  /** Names of the adapters in salvo.yaml. */
  adapters?: Iterable<string> | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Commands run here, and relative paths begin here. */
  root?: string | undefined;
  /** Of a command's report. */
  format?: FindingsFormat | undefined;
  /** Variables that a command may see. */
  grants?: readonly string[] | undefined;
  /** Of one run of a scanner. */
  timeoutSeconds?: number | undefined;
}

/** The Blue Team that a name means, ready to play. See `parseTeamName` for the names. */
export function createBlue(name: string, context: BlueContext = {}): BlueTeam {
  const adapters = [...registeredAdapters.keys(), ...(context.adapters ?? [])];
  return teamOf(parseTeamName(name, { adapter: context.adapter, adapters }), context);
}

function teamOf(name: TeamName, context: BlueContext): BlueTeam {
  const { env = process.env, root = process.cwd(), timeoutSeconds, format, grants } = context;
  switch (name.kind) {
    case 'rules':
      return createRulesBlue();
    case 'scanner': {
      const scanner = SCANNERS.find((each) => each.name === name.scanner);
      if (!scanner) throw new BlueTeamError('UNKNOWN_BLUE', `There is no scanner ${name.scanner}.`);
      return createScannerBlue(scanner, { env, root, timeoutSeconds });
    }
    case 'command':
      return createCommandBlue({ command: name.command, format, grants, timeoutSeconds, env, root });
    case 'llm': {
      const { adapter, model } = name;
      const { models } = context;
      return models ? createLlmBlue({ ...context, models, adapter, model }) : ownModels({ ...context, adapter, model });
    }
    case 'several':
      return createHybridBlue(name.parts.map((part) => teamOf(part, context)));
  }
}

/** Calls models with the keys of the environment, and lets go of them after each look. */
function ownModels(options: Omit<LlmBlueOptions, 'models'>): BlueTeam {
  // Made once before it is needed, so that options that make no sense are refused now.
  const { name } = createLlmBlue({ ...options, models: environmentModels() });
  return {
    name,
    async analyze(request) {
      const models = environmentModels();
      try {
        return await createLlmBlue({ ...options, models }).analyze(request);
      } finally {
        await models.close();
      }
    },
  };
}
