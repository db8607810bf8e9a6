import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import type { RunOptions } from '../../run/record/run-record.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Tool } from '../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { readToolCassette } from '../../trial/tools/cassette/read-tool-cassette.ts';
import { ToolCassette } from '../../trial/tools/cassette/tool-cassette.ts';
import type { ToolCassetteOf } from '../../trial/tools/tools-place.ts';
import { projectRedactor } from '../project/open-project.ts';
import { askedMode, beginFiles, type CassetteChoice, modeOf, shownFile } from './choose-cassettes.ts';

/** The cassettes of tools in a run that is about to begin. */
export interface OpenToolCassettes {
  cassetteOf: ToolCassetteOf;
  /** What the record of the run says of them: which files are recorded, and which are replayed. */
  record: NonNullable<RunOptions['tool_cassettes']>;
  /** The same after the run, without files that do not exist because nothing was recorded. */
  recorded(): NonNullable<RunOptions['tool_cassettes']>;
  /** To be called when the run is over. Returns what went wrong, and which recorded calls were not needed. */
  finish(outcome: Pick<RunOutcome, 'exitCode'>): string[];
}

/** Opens the cassettes that the tools of a run have; null if the run calls all tools as they are. */
export async function openToolCassettes(
  choice: CassetteChoice & {
    scenarios: readonly LoadedScenario[];
    /** Whether the run has all cases and trials of its scenarios. */
    isWhole: boolean;
  },
): Promise<OpenToolCassettes | null> {
  const { project, earlier, env } = choice;
  const asked = askedMode(choice);
  if (earlier?.options.tool_cassettes && asked === 'live') throw resumedLive(earlier.run_id);
  if (asked === 'live' || (earlier && !earlier.options.tool_cassettes)) return null;
  const redactor = projectRedactor(project, env);
  const cassettes = new Map<string, ToolCassette>();
  const record: OpenToolCassettes['record'] = {};
  for (const [file, scenario] of filesOf(choice.scenarios)) {
    const shown = shownFile(file, choice);
    const name = relative(project.root, file).split(sep).join('/');
    const begun = earlier?.options.tool_cassettes?.[name];
    const mode = begun ? begunMode(begun) : modeOf(asked, choice, { files: [file], shown: () => shown });
    // A file that cannot be read must not be overwritten by a recording either.
    const contents = await readToolCassette(file);
    beginFiles(choice, mode, [file]);
    record[name] = begun ?? (mode === 'record' && contents ? 'record_again' : mode);
    // What the file has is what the first part of the run recorded, unless there was a file before it.
    const isResumed = begun === 'record';
    const recordAgain = [salvoCommand(), 'run', shellQuote(scenario), '--cassettes record'].join(' ');
    cassettes.set(file, new ToolCassette({ mode, isResumed, file, shown, contents, redactor, recordAgain }));
  }
  return {
    cassetteOf: (tool, file) => cassettes.get(cassetteFile(tool, file) ?? '') ?? null,
    record,
    recorded: () =>
      Object.fromEntries(Object.entries(record).filter(([name]) => existsSync(resolve(project.root, name)))),
    finish: ({ exitCode }) => [...cassettes.values()].flatMap((each) => each.finish(choice.isWhole && exitCode !== 3)),
  };
}

function begunMode(begun: OpenToolCassettes['record'][string]): 'record' | 'replay' {
  return begun === 'replay' ? 'replay' : 'record';
}

function resumedLive(runId: string): SalvoError {
  return new SalvoError(
    'RESUME_DIFFERS',
    `Run ${runId} was begun with cassettes of tools: resume it without {option:cassettes}, or start a new run.`,
  );
}

/** The files of all cassettes, each with a scenario that names it. */
function filesOf(scenarios: readonly LoadedScenario[]): Map<string, string> {
  const all = scenarios.flatMap(({ scenario, file, relativeFile }) =>
    scenario.tools.flatMap((tool): [string, string][] => {
      const found = cassetteFile(tool, file);
      return found === null ? [] : [[found, relativeFile]];
    }),
  );
  return new Map(all);
}

/** Absolute; null for a tool without a cassette. */
function cassetteFile({ cassette }: Tool, file: string): string | null {
  if (!cassette) return null;
  if (cassette !== true && cassette.file !== undefined) return resolve(dirname(file), cassette.file);
  return join(dirname(file), `${basename(file).replace(/\.ya?ml$/i, '')}.cassette.yaml`);
}
