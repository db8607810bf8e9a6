import { SalvoError } from 'salvo/kit/text';
import { type BlueOutcome, type BlueRequest, type BlueTeam, DetectionMode } from '../blue/blue-team.ts';
import { BlueTeamError, NotCoveredError } from '../blue/blue-team-error.ts';
import { checkTools, type ToolStatus } from '../blue/scanners/check-tools.ts';
import { readCodeFolder } from '../code/read-code-folder.ts';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import { LANGUAGES } from '../tasks/game-settings.ts';
import { type BlueContext, createBlue } from './create-team.ts';
import { type BlueName, blueInMode, namedModels, parseBlueName, singleTeams } from './team-name.ts';

export interface BlueTeamOptions extends BlueContext {
  /** The teams that look: `rules`, scanners, `llm:MODEL`; see `parseBlueName`. Without any, the embedded rules. */
  blue?: string | readonly string[] | undefined;
  /** A model that looks as well, as `llm:MODEL` in `blue` would. */
  model?: string | undefined;
  /** When missing, all named teams look. */
  mode?: DetectionMode | undefined;
}

/** Code to look at: one file's text, or files by name. */
type AnalyzeRequest = AnalyzeOptions &
  ({ code: string; files?: undefined } | { files: Record<string, string>; code?: undefined });

interface AnalyzeOptions extends Omit<BlueRequest, 'files'> {
  /** When missing, the mode of the agent. */
  mode?: DetectionMode | undefined;
}

export interface BlueTeamAgent extends BlueTeam {
  /** Rejects with a `BlueTeamError` when a team could not look: no findings means that it looked and found nothing. */
  analyze(request: AnalyzeRequest): Promise<BlueOutcome>;
  analyzeDirectory(dir: string, options?: AnalyzeOptions): Promise<BlueOutcome>;
  checkTools(): Promise<ToolStatus[]>;
}

/** A Blue Team for code of one's own: without options the embedded rules, which need neither network nor scanner. */
export function createBlueTeamAgent(options: BlueTeamOptions = {}): BlueTeamAgent {
  const named = parseNames(options);
  const analyze = async (
    files: Record<string, string>,
    { mode = options.mode, ...request }: AnalyzeOptions,
  ): Promise<BlueOutcome> => {
    if (Object.keys(files).length === 0) throw new BlueTeamError('CODE_MISSING', 'There is no code to look at.');
    refuseUnknown('language', request.language, LANGUAGES);
    refuseUnknown('mode', mode, Object.keys(DetectionMode));
    const blue = mode === undefined ? named : blueInMode(named, mode);
    return createBlue(blue, options).analyze({ ...request, files });
  };
  return {
    get name() {
      return createBlue(options.mode === undefined ? named : blueInMode(named, options.mode), options).name;
    },
    analyze: async ({ code = '', files, ...request }) =>
      analyze(files ?? { [fileNameFor(code, request.language)]: code }, request),
    async analyzeDirectory(dir, request = {}) {
      const { files } = await readCodeFolder(dir).catch((cause: unknown) => {
        const code = cause instanceof SalvoError ? cause.code : 'FOLDER_UNREADABLE';
        const message = cause instanceof SalvoError ? cause.message : `${dir} cannot be read: ${String(cause)}`;
        throw new BlueTeamError(code, message, { cause });
      });
      if (Object.keys(files).length > 0) return analyze(files, request);
      throw new NotCoveredError(`There is no infrastructure code in ${dir}.`);
    },
    checkTools: () => checkTools({ env: options.env ?? process.env, root: options.root ?? process.cwd() }),
  };
}

/** All named teams as one. An unknown name is refused here, before any work. */
function parseNames({ blue = [], model, adapter, adapters = [] }: BlueTeamOptions): BlueName {
  const names = [blue].flat().filter((name) => name.trim() !== '');
  if (model !== undefined) names.push(`llm:${adapter === undefined ? '' : `${adapter}/`}${model}`);
  const context = { adapter, adapters: [...adapters, ...(adapter === undefined ? [] : [adapter])] };
  const teams = names.flatMap((name) => singleTeams(parseBlueName(name, context)));
  const tools = teams.filter(({ kind }) => kind !== 'llm');
  const [first = { kind: 'rules' }, ...others] = [...tools, ...namedModels(teams)];
  return others.length === 0 ? first : { kind: 'several', parts: [first, ...others] };
}

/** Types refuse these already, but callers may be plain JavaScript. */
function refuseUnknown(what: string, given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return;
  throw new BlueTeamError(
    'OPTIONS_INVALID',
    `There is no ${what} ${JSON.stringify(given)}: known are ${known.join(', ')}.`,
  );
}

function fileNameFor(code: string, language: CodeLanguage | undefined): string {
  const isJson = /^\s*\{/.test(code);
  const isTemplate = language
    ? language === 'cloudformation'
    : /^[ \t]*["']?(?:AWSTemplateFormatVersion|Resources)["']?\s*:/m.test(code);
  if (isTemplate) return isJson ? 'template.json' : 'template.yaml';
  return isJson ? 'main.tf.json' : 'main.tf';
}
