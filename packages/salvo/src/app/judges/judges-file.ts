import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { warnOfRepeatedDecisions, warnOfTies } from '../../scenario/checks/check-judge.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from '../../scenario/diagnostics/diagnostics-error.ts';
import type { Problem } from '../../scenario/diagnostics/problem.ts';
import { checkSchema } from '../../scenario/diagnostics/schema-problems.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { judgeModeSchema, someText } from '../../scenario/schema/shared-fields.ts';
import { inspectYaml } from '../../scenario/yaml/inspect-yaml.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
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

/** The judges of a file, and warnings. Throws a `DiagnosticsError` with all problems of the file if there are errors. */
async function loadJudges(file: string, cwd: string): Promise<{ judges: JudgeEntry[]; warnings: Diagnostic[] }> {
  // Says in words why a file cannot be read.
  await readTextFile(file, { cwd });
  const path = resolve(cwd, file);
  const { data, diagnostics } = inspectYaml({
    file: path,
    projectRoot: dirname(path),
    emptyHint: 'a file of judges is a list, such as [{name: fast, adapter: openai, model: gpt-6-luna, mode: decide}]',
    check: checkJudges,
  });
  if (!data || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  return { judges: data, warnings: diagnostics };
}

function checkJudges(value: unknown): { data: JudgeEntry[] | null; problems: Problem[] } {
  const { data, problems } = checkSchema(judgesFileSchema, value);
  const judges = data?.map((entry) => ({ ...entry, name: entry.name ?? entry.model })) ?? null;
  const all: Problem[] = [...problems];
  for (const [index, { name, mode, k }] of (judges ?? []).entries()) {
    const report = (problem: Problem) => all.push(problem);
    (mode === 'decide' ? warnOfRepeatedDecisions : warnOfTies)(report, k, [index, 'k']);
    if (judges?.findIndex((each) => each.name === name) === index) continue;
    all.push({ code: 'invalid-value', message: `there are two judges with the name "${name}"`, path: [index] });
  }
  return { data: judges, problems: all };
}

/** One judge of a file: the one of this name, or the only one. Its adapter is found from the folder of the file. */
export async function judgeOfFile(
  file: string,
  { name, project, cwd }: { name: string | undefined; project: Project; cwd: string },
): Promise<{ entry: JudgeEntry; warnings: Diagnostic[] }> {
  const { judges, warnings } = await loadJudges(file, cwd);
  const [first, second] = name === undefined ? judges : judges.filter((judge) => judge.name === name);
  if (first && !second) {
    const { adapter } = first;
    const folder = dirname(resolve(cwd, file));
    const found = adapter === undefined ? {} : { adapter: adapterFromFolder(adapter, { project, cwd: folder }) };
    return { entry: { ...first, ...found }, warnings };
  }
  const names = judges.map((judge) => judge.name);
  const known = some(names.map((each) => JSON.stringify(each)));
  throw new SalvoError(
    'JUDGE_UNKNOWN',
    name === undefined
      ? `${file} has ${judges.length} judges (${known}): choose one with {option:judge}.`
      : `${file} has no judge "${name}".${suggestionSentence(name, names)} It has ${known}.`,
  );
}
