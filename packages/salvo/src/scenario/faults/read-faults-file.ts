import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { sourceText } from '../../text/source-text.ts';
import { DiagnosticsError, hasErrors } from '../diagnostics/diagnostics-error.ts';
import { diagnosticAt, type Problem } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { type Fault, faultSchema } from '../schema/tool-schema.ts';
import { inspectYaml } from '../yaml/inspect-yaml.ts';
import { readInsideRoot } from '../yaml/read-source.ts';
import { checkFaults } from './check-faults.ts';

const EMPTY_HINT = 'a file of faults is a list, such as - {kind: timeout, rate: 20%}';

/** The faults of a file: a list, or a map with the key `faults`. Throws a `DiagnosticsError` with all its problems. */
export function readFaultsFile(given: string, cwd: string): Fault[] {
  const file = resolve(cwd, given);
  const root = dirname(file);
  const read = readInsideRoot({ file, name: given, root });
  if ('problem' in read) {
    const source = sourceText({ file, text: '' });
    throw new DiagnosticsError([diagnosticAt({ source, start: 0, end: 0 }, read.problem)]);
  }
  const { data, diagnostics } = inspectYaml({ file, projectRoot: root, emptyHint: EMPTY_HINT, check: checkFile });
  if (!data || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  return data;
}

function checkFile(value: unknown): { data: Fault[] | null; problems: Problem[] } {
  const listSchema = z.array(faultSchema()).min(1).max(200);
  const isMap = isRecord(value);
  const list = isMap ? null : checkSchema(listSchema, value);
  const { data, problems } = list ?? ofMap(checkSchema(z.strictObject({ faults: listSchema }), value));
  const all: Problem[] = [...problems];
  const faults: unknown = isMap ? value.faults : value;
  if (Array.isArray(faults)) checkFaults((problem) => all.push(problem), { faults, path: isMap ? ['faults'] : [] });
  return { data, problems: all };
}

function ofMap({ data, problems }: { data: { faults: Fault[] } | null; problems: Problem[] }) {
  return { data: data?.faults ?? null, problems };
}
