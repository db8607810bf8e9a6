import type { Diagnostic } from '../../../scenario/diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from '../../../scenario/diagnostics/diagnostics-error.ts';
import type { Path } from '../../../scenario/diagnostics/located-value.ts';
import { diagnosticAt, type Problem } from '../../../scenario/diagnostics/problem.ts';
import { checkSchema } from '../../../scenario/diagnostics/schema-problems.ts';
import { checkYaml } from '../../../scenario/yaml/inspect-yaml.ts';
import { resolveYaml } from '../../../scenario/yaml/resolve-yaml.ts';
import { parseYamlTree } from '../../../scenario/yaml/yaml-tree.ts';
import { errorCode, errorMessage, SalvoError } from '../../../text/errors/salvo-error.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { readLimited } from '../../../text/read-limited.ts';
import { sourceText } from '../../../text/source-text.ts';
import {
  type RecordedToolCall,
  TOOL_CASSETTE_VERSION,
  type ToolCassetteContents,
  toolCassetteSchema,
} from './tool-cassette-document.ts';

/** A file of this size would be a mistake in a repository, and is held in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_LEXEMES = 5_000_000;

/** The contents of a file; null if there is none. Throws with the place if the file is not a whole cassette. */
export async function readToolCassette(file: string): Promise<ToolCassetteContents | null> {
  try {
    const bytes = await readLimited(file, { most: MOST_BYTES });
    return parseToolCassette(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (error instanceof SalvoError) throw error;
    throw new SalvoError('FILE_UNREADABLE', `Could not read ${file}: ${errorMessage(error)}.`, { cause: error });
  }
}

/** @internal Exported for its tests. */
export function parseToolCassette(text: string, file: string): ToolCassetteContents {
  const source = sourceText({ file, text });
  const diagnostics: Diagnostic[] = [];
  const tree = parseYamlTree(source, { left: MOST_LEXEMES });
  diagnostics.push(...tree.diagnostics);
  const root =
    tree.diagnostics.length > 0
      ? null
      : resolveYaml({
          source,
          contents: tree.contents,
          report: (diagnostic) => diagnostics.push(diagnostic),
          include(_, span) {
            diagnostics.push(
              diagnosticAt(span, { code: 'invalid-include', message: 'a cassette includes no other file' }),
            );
            return null;
          },
        });
  const checked = checkYaml({ root, diagnostics }, { file, emptyHint: RESTORE, check: checkContents });
  if (hasErrors(checked.diagnostics) || !checked.data) {
    throw new DiagnosticsError(checked.diagnostics.map((each) => ({ ...each, hint: each.hint ?? RESTORE })));
  }
  const { servers, prompts, tools } = checked.data;
  const mapOf = <T>(value: Record<string, T>) => new Map(Object.entries(value));
  return { servers: mapOf(servers), prompts: mapOf(prompts), tools: mapOf(tools) };
}

const RESTORE = 'restore the file, or delete it and record again';

function checkContents(value: unknown) {
  if (isRecord(value) && typeof value.version === 'number' && value.version > TOOL_CASSETTE_VERSION) {
    const message = `the cassette has the version ${value.version}, and this Salvo reads version ${TOOL_CASSETTE_VERSION}: a newer Salvo wrote it`;
    return { data: null, problems: [{ code: 'invalid-value' as const, message, path: ['version'] }] };
  }
  const { data, problems } = checkSchema(toolCassetteSchema, value);
  const wrong = Object.entries(data?.tools ?? {}).flatMap(([name, { calls }]) =>
    callProblems(calls, ['tools', name, 'calls']),
  );
  return { data, problems: [...problems, ...wrong] };
}

function callProblems(calls: readonly RecordedToolCall[], path: Path): Problem[] {
  const seen = new Set<string>();
  return calls.flatMap(({ arguments: args, after = [], occurrence = 1, answer, error }, index): Problem[] => {
    const at = [...path, index];
    const key = canonicalJson([args, after, occurrence]);
    const isTwice = seen.has(key);
    seen.add(key);
    if (isTwice) return [{ code: 'invalid-value', message: 'the same call is there twice', path: at }];
    const message = 'a call has either "answer" or "error"';
    return (answer === undefined) === (error === undefined) ? [{ code: 'conflicting-keys', message, path: at }] : [];
  });
}
