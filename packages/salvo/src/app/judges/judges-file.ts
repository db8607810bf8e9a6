import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import { checkAskedAdapter } from '../../scenario/checks/check-adapter.ts';
import { checkDecides, warnOfRepeatedDecisions, warnOfTies } from '../../scenario/checks/check-asked-judge.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from '../../scenario/diagnostics/diagnostics-error.ts';
import type { Problem } from '../../scenario/diagnostics/problem.ts';
import { checkSchema } from '../../scenario/diagnostics/schema-problems.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { judgeModeSchema, someText } from '../../scenario/schema/shared-fields.ts';
import { inspectYaml } from '../../scenario/yaml/inspect-yaml.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import { readTextFile } from '../project/read-text-file.ts';
import { adapterFromFolder } from '../selection/candidates.ts';

const entrySchema = z.strictObject({
  name: someText.optional().describe('Default: the model.'),
  adapter: someText.optional().describe('How the judge is called. Default: judge.adapter of salvo.yaml.'),
  model: someText.describe('The model that judges.'),
  mode: judgeModeSchema,
  k: z.int().min(1).max(21).optional().describe('Votes. A decision model votes once.'),
});

/** A file of judges to choose from: `[{ name, adapter, model, mode, k }]`, as YAML or JSON. */
const judgesFileSchema = z.array(entrySchema).min(1);

export type JudgeEntry = z.infer<typeof entrySchema> & { name: string };

interface Place {
  project: Project;
  cwd: string;
}

interface JudgesOfFile {
  judges: JudgeEntry[];
  warnings: Diagnostic[];
}

/** The judges of a file, and warnings. Throws a `DiagnosticsError` with all problems of the file if there are errors. */
async function loadJudges(file: string, { project, cwd }: Place): Promise<JudgesOfFile> {
  // Says in words why a file cannot be read.
  await readTextFile(file, { cwd });
  const path = resolve(cwd, file);
  const { data, diagnostics } = inspectYaml({
    file: path,
    projectRoot: dirname(path),
    emptyHint: 'a file of judges is a list, such as [{name: fast, adapter: openai, model: gpt-6-luna, mode: decide}]',
    check: (value) => checkJudges(value, { project, folder: dirname(path) }),
  });
  if (!data || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  return { judges: data, warnings: diagnostics };
}

function checkJudges(
  value: unknown,
  { project, folder }: { project: Project; folder: string },
): { data: JudgeEntry[] | null; problems: Problem[] } {
  const { data, problems } = checkSchema(judgesFileSchema, value);
  const judges = data?.map((entry) => ({ ...entry, name: entry.name ?? entry.model })) ?? null;
  const all: Problem[] = [...problems];
  for (const [index, { name, mode, k }] of (judges ?? []).entries()) {
    const report = (problem: Problem) => all.push(problem);
    (mode === 'decide' ? warnOfRepeatedDecisions : warnOfTies)(report, k, [index, 'k']);
    if (judges?.findIndex((each) => each.name === name) === index) continue;
    all.push({ code: 'invalid-value', message: `there are two judges with the name "${name}"`, path: [index] });
  }
  const named = new Map(Object.entries(project.config.adapters).map(([name, { type }]) => [name, type]));
  const names = { named, registered: new Set(registeredAdapters.keys()) };
  for (const [index, entry] of (Array.isArray(value) ? value : []).entries()) {
    const { adapter: name, mode } = isRecord(entry) ? entry : {};
    const path = [index, 'adapter'];
    checkAskedAdapter((problem) => all.push(problem), { name, names, folder, root: project.root, path }, 'judge');
    checkDecides((problem) => all.push(problem), { adapter: name, mode, names, path });
  }
  return { data: judges, problems: all };
}

/** All judges of a file. Their adapters are found from the folder of the file. */
export async function judgesOfFile(file: string, place: Place): Promise<JudgesOfFile> {
  const { judges, warnings } = await loadJudges(file, place);
  const folder = dirname(resolve(place.cwd, file));
  const found = judges.map(({ adapter, ...judge }) => ({
    ...judge,
    ...(adapter !== undefined && { adapter: adapterFromFolder(adapter, { project: place.project, cwd: folder }) }),
  }));
  return { judges: found, warnings };
}

/** One judge of a file: the one of this name, or the only one. */
export async function judgeOfFile(
  file: string,
  { name, ...place }: Place & { name: string | undefined },
): Promise<{ entry: JudgeEntry; warnings: Diagnostic[] }> {
  const { judges, warnings } = await judgesOfFile(file, place);
  const [first, second] = name === undefined ? judges : judges.filter((judge) => judge.name === name);
  if (first && !second) return { entry: first, warnings };
  const names = judges.map((judge) => judge.name);
  const known = some(names.map((each) => JSON.stringify(each)));
  throw new SalvoError(
    'JUDGE_UNKNOWN',
    name === undefined
      ? `${file} has ${judges.length} judges (${known}): choose one with {option:judge}.`
      : `${file} has no judge "${name}".${suggestionSentence(name, names)} It has ${known}.`,
  );
}
