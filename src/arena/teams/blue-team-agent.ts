import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { BlueMetadata, BlueRequest, BlueTeam } from '../blue/blue-team.ts';
import { DetectionMode } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createHybridBlue } from '../blue/hybrid-blue.ts';
import { checkTools, type ToolStatus } from '../blue/scanners/check-tools.ts';
import { readCodeFolder } from '../read-code-folder.ts';
import { type BlueContext, createBlue } from './create-team.ts';
import { parseTeamName, type TeamName } from './team-name.ts';

export interface BlueTeamOptions extends BlueContext {
  /** Who looks: `rules`, scanners, `llm:MODEL`; see `parseTeamName`. The embedded rules when nobody is named. */
  blue?: string | readonly string[] | undefined;
  /** A model that looks as well, as `llm:MODEL` in `blue` would. */
  model?: string | undefined;
  /** When missing, whoever is named looks. */
  mode?: DetectionMode | undefined;
}

/** Code to look at: one file's text, or files by name. */
type AnalyzeRequest = Omit<BlueRequest, 'files'> &
  ({ code: string; files?: undefined } | { files: Record<string, string>; code?: undefined });

/** A list of findings that also says who looked and what it cost. As JSON it is the list alone. */
export interface BlueFindings extends Array<Finding> {
  metadata: BlueMetadata;
}

export interface BlueTeamAgent {
  /** Rejects with a `BlueTeamError`: an empty list means that somebody looked and found nothing. */
  analyze(request: AnalyzeRequest): Promise<BlueFindings>;
  analyzeDirectory(dir: string, options?: Omit<BlueRequest, 'files'>): Promise<BlueFindings>;
  checkTools(): Promise<ToolStatus[]>;
}

/** A Blue Team for code of one's own: without options the embedded rules, which need neither network nor scanner. */
export function createBlueTeamAgent(options: BlueTeamOptions = {}): BlueTeamAgent {
  const { tools, models } = namedTeams(options);
  const usual = options.mode ?? (models.length === 0 ? 'tools_only' : tools.length === 0 ? 'llm_only' : 'hybrid');
  const teamFor = (mode: DetectionMode = usual): BlueTeam => {
    checkMode(mode, models);
    const names = [
      ...(mode === 'llm_only' ? [] : tools.length > 0 ? tools : ['rules']),
      ...(mode === 'tools_only' ? [] : models),
    ];
    const [first, ...others] = names.map((name) => createBlue(name, options));
    return first && others.length === 0 ? first : createHybridBlue(first ? [first, ...others] : []);
  };
  const analyze = async (files: Record<string, string>, request: Omit<BlueRequest, 'files'>) => {
    if (Object.keys(files).length === 0) throw new BlueTeamError('NO_CODE', 'There is no code to look at.');
    if (request.language !== undefined && !LANGUAGES.includes(request.language)) {
      const message = `There is no language ${JSON.stringify(request.language)}: known are ${LANGUAGES.join(', ')}.`;
      throw new BlueTeamError('BLUE_OPTIONS', message);
    }
    const { findings, metadata } = await teamFor(request.mode).analyze({ ...request, files });
    return Object.assign([...findings], { metadata });
  };
  return {
    analyze({ code, files, ...request }) {
      return analyze(files ?? { [fileNameFor(code ?? '', request.language)]: code ?? '' }, request);
    },
    async analyzeDirectory(dir, request = {}) {
      const { files } = await readCodeFolder(dir).catch((cause: unknown) => {
        const code = cause instanceof SalvoError ? cause.code : 'FOLDER_UNREADABLE';
        const message = cause instanceof SalvoError ? cause.message : `${dir} cannot be read: ${String(cause)}`;
        throw new BlueTeamError(code, message, { cause });
      });
      if (Object.keys(files).length > 0) return analyze(files, request);
      throw new BlueTeamError('NO_CODE', `There is no Terraform or CloudFormation code in ${dir}.`);
    },
    checkTools: () => checkTools(options.env ?? process.env, { root: options.root ?? process.cwd() }),
  };
}

const LANGUAGES: readonly CodeLanguage[] = ['terraform', 'cloudformation'];

/** Names of those who ask no model, and of those who do. A name that is none is refused here, before any work. */
function namedTeams({ blue = [], model, adapter, adapters }: BlueTeamOptions): { tools: string[]; models: string[] } {
  const names = [blue].flat().filter((name) => name.trim() !== '');
  if (model !== undefined) names.push(`llm:${adapter === undefined ? '' : `${adapter}/`}${model}`);
  const known = [...(adapters ?? []), ...(adapter === undefined ? [] : [adapter])];
  const tools: string[] = [];
  const models: string[] = [];
  for (const name of names) {
    const parsed = parseTeamName(name, { adapter, adapters: known });
    for (const part of parsed.kind === 'several' ? parsed.parts : [parsed]) {
      (part.kind === 'llm' ? models : tools).push(nameOf(part));
    }
  }
  return { tools, models };
}

function nameOf(part: TeamName): string {
  if (part.kind === 'scanner') return part.scanner;
  if (part.kind === 'command') return `command:${part.command}`;
  return part.kind === 'llm' ? `llm:${part.adapter}/${part.model}` : 'rules';
}

function checkMode(mode: DetectionMode, models: readonly string[]): void {
  if (!Object.hasOwn(DetectionMode, mode)) {
    const known = Object.keys(DetectionMode).join(', ');
    throw new BlueTeamError('BLUE_OPTIONS', `There is no mode ${JSON.stringify(mode)}: known are ${known}.`);
  }
  if (mode !== 'tools_only' && models.length === 0) {
    const message = `The mode ${mode} needs a model: give one, such as {adapter: "openai", model: "gpt-5"}.`;
    throw new BlueTeamError('BLUE_OPTIONS', message);
  }
}

function fileNameFor(code: string, language: CodeLanguage | undefined): string {
  const isJson = /^\s*\{/.test(code);
  const isTemplate = language
    ? language === 'cloudformation'
    : /^\s*["']?(?:AWSTemplateFormatVersion|Resources)["']?\s*:/m.test(code);
  if (isTemplate) return isJson ? 'template.json' : 'template.yaml';
  return isJson ? 'main.tf.json' : 'main.tf';
}
