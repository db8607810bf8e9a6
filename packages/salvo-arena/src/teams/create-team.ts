import { environmentModels, type ModelCaller } from 'salvo/kit/models';
import type { BlueTeam } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createHybridBlue } from '../blue/hybrid-blue.ts';
import { createLlmBlue, type LlmBlueOptions } from '../blue/llm/llm-blue.ts';
import { createRulesBlue } from '../blue/rules/rules-blue.ts';
import { findScanner, type ScannerContext } from '../blue/scanners/find-scanner.ts';
import { createCommandBlue, createScannerBlue } from '../blue/scanners/scanner-blue.ts';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import type { FindingsFormat } from '../match/importers/findings-format.ts';
import { createLlmRed, type LlmRedOptions } from '../red/llm/llm-red.ts';
import { createMutationRed } from '../red/mutation/create-mutation-red.ts';
import type { RedTeam } from '../red/red-team.ts';
import {
  type BlueName,
  type NameContext,
  parseBlueName,
  parseRedName,
  type RedName,
  singleTeams,
} from './team-name.ts';

interface TeamContext extends NameContext {
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What calls models; when missing, one made from the environment for each call of the team. */
  models?: ModelCaller | undefined;
}

/** What a Red Team is made with; everything has a default. */
export interface RedContext extends TeamContext, Omit<LlmRedOptions, 'models' | 'adapter' | 'model'> {}

/** What a Blue Team is made with; everything has a default. */
export interface BlueContext extends TeamContext, Omit<LlmBlueOptions, 'models' | 'adapter' | 'model'> {
  /** The folder that commands run in, and that relative paths start from. */
  root?: string | undefined;
  /** The format of a command's report. */
  format?: FindingsFormat | undefined;
  /** Variables that a command may see. */
  grants?: readonly string[] | undefined;
  /** For one run of a scanner. */
  timeoutSeconds?: number | undefined;
}

/** The Red Team that a name means. See `parseRedName` for the names. */
export function createRed(name: string | RedName, { env = process.env, ...context }: RedContext = {}): RedTeam {
  const parsed = typeof name === 'string' ? parseRedName(name, context) : name;
  if (parsed.kind === 'mutation') return createMutationRed({ secret: env.SALVO_HELD_OUT ?? '' });
  const options = { ...context, ...parsed };
  const { models } = context;
  if (models) return createLlmRed({ ...options, models });
  return {
    name: `llm:${parsed.model}`,
    generate: (request) => withOwnModels((own) => createLlmRed({ ...options, models: own }).generate(request)),
  };
}

/** The Blue Team that a name means. See `parseBlueName` for the names. */
export function createBlue(name: string | BlueName, context: BlueContext = {}): BlueTeam {
  const parsed = typeof name === 'string' ? parseBlueName(name, context) : name;
  const { env = process.env, root = process.cwd(), timeoutSeconds, format, grants } = context;
  switch (parsed.kind) {
    case 'rules':
      return createRulesBlue(parsed);
    case 'scanner':
      return createScannerBlue(parsed.scanner, { env, root, timeoutSeconds });
    case 'command':
      return createCommandBlue({ command: parsed.command, format, grants, timeoutSeconds, env, root });
    case 'llm': {
      const options = { ...context, ...parsed };
      const { models } = context;
      if (models) return createLlmBlue({ ...options, models });
      return {
        // Created once before it is needed, so that contradicting options are refused now.
        name: createLlmBlue({ ...options, models: environmentModels() }).name,
        analyze: (request) => withOwnModels((own) => createLlmBlue({ ...options, models: own }).analyze(request)),
      };
    }
    case 'several':
      return createHybridBlue(parsed.parts.map((part) => createBlue(part, context)));
  }
}

/** Throws when a scanner of a Blue is not installed, or lacks rules for one of the languages. */
export function checkScanners(blue: BlueName, languages: readonly CodeLanguage[], context: ScannerContext): void {
  for (const name of singleTeams(blue)) {
    if (name.kind !== 'scanner') continue;
    for (const language of languages) {
      const found = findScanner(name.scanner, language, context);
      if ('missing' in found) throw new BlueTeamError('SCANNER_MISSING', `${found.missing}.`);
    }
  }
}

/** Calls models with the keys of the environment, and closes them afterwards. */
async function withOwnModels<T>(use: (models: ModelCaller) => Promise<T>): Promise<T> {
  const models = environmentModels();
  try {
    return await use(models);
  } finally {
    await models.close();
  }
}
