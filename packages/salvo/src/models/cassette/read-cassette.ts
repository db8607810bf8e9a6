import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom, MAX_NESTING } from '../../text/json/nesting.ts';
import { readLimited } from '../../text/read-limited.ts';
import { type CassetteContents, partId, trialIn } from './cassette-contents.ts';
import {
  CASSETTE_VERSION,
  type CallLine,
  callerKeyOf,
  headerSchema,
  lineSchema,
  type RecordedCall,
  type TrialOfCall,
} from './cassette-document.ts';

/** A file of this size would be a mistake in a repository, and is held in memory. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The recorded calls of a file; null if there is no file. Throws with the line if the file is not a whole cassette. */
export async function readCassette(file: string): Promise<CassetteContents | null> {
  try {
    return parseCassette(
      new TextDecoder('utf-8', { fatal: true }).decode(await readLimited(file, { most: MOST_BYTES })),
      file,
    );
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (error instanceof SalvoError) throw error;
    throw new SalvoError('FILE_UNREADABLE', `Could not read ${file}: ${errorMessage(error)}.`, { cause: error });
  }
}

/** @internal Exported for its tests. */
export function parseCassette(text: string, file: string): CassetteContents {
  const contents: CassetteContents = new Map();
  const parts = new Map<string, unknown>();
  const seen = new Set<string>();
  const lines = text.split('\n');
  // A whole file ends with a line break.
  if (lines.pop() !== '') throw invalid({ file, line: lines.length + 1 }, 'the file is cut off in this line');
  if (lines.length === 0) throw invalid({ file, line: 1 }, 'the file is empty');
  for (const [index, source] of lines.entries()) {
    const at = { file, line: index + 1 };
    const value = jsonOf(source, at);
    if (index === 0) {
      checkHeader(value, at);
      continue;
    }
    const read = lineSchema.safeParse(value);
    if (!read.success) throw invalid(at, issueText(read.error.issues[0]));
    if (read.data.kind === 'part') {
      if (partId(read.data.value) !== read.data.id)
        throw invalid(at, 'the value does not match its id: it was changed');
      parts.set(read.data.id, read.data.value);
    } else {
      const trial = trialIn(contents, trialOf(read.data));
      if (read.data.kind === 'trial') continue;
      const call = callOf(read.data, parts, at);
      const key = JSON.stringify([trial.of, callerKeyOf(call.caller), call.key, call.occurrence]);
      if (seen.has(key)) throw invalid(at, 'the same call is there twice');
      seen.add(key);
      trial.calls.push(call);
    }
  }
  return contents;
}

interface Place {
  file: string;
  line: number;
}

function jsonOf(source: string, at: Place): unknown {
  if (bracketsFrom(source, 0).deepest > MAX_NESTING) throw invalid(at, 'the JSON is nested too deeply');
  try {
    return JSON.parse(source);
  } catch {
    throw invalid(at, `this is no JSON: ${jsonSyntaxError(source)?.message ?? 'it cannot be read'}`);
  }
}

function checkHeader(value: unknown, at: Place): void {
  if (headerSchema.safeParse(value).success) return;
  if (isRecord(value) && value.kind === 'cassette' && typeof value.version === 'number') {
    const what = `the cassette has the version ${value.version}, and this Salvo reads version ${CASSETTE_VERSION}`;
    throw invalid(at, value.version > CASSETTE_VERSION ? `${what}: a newer Salvo wrote it` : what);
  }
  throw invalid(at, `a cassette begins with {"kind":"cassette","version":${CASSETTE_VERSION}}`);
}

function issueText(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'this is no line of a cassette'}`;
}

function trialOf({ scenario, case: name, adapter, model, trial }: TrialOfCall): TrialOfCall {
  return { scenario, case: name, adapter, model, trial };
}

function callOf(line: CallLine, parts: ReadonlyMap<string, unknown>, at: Place): RecordedCall {
  const { judge, user, occurrence, latency_seconds, cost_usd, adapter, model } = line;
  const { answer, refusal, http } = { answer: undefined, refusal: undefined, http: undefined, ...line };
  if (line.kind === 'turn' && (answer === undefined) === (refusal === undefined))
    throw invalid(at, 'a turn has an answer or a refusal');
  const partOf = (id: string): unknown => {
    if (!parts.has(id)) throw invalid(at, `the part ${id.slice(0, 40)} is not in the lines before`);
    return parts.get(id);
  };
  const { settings, messages, tools } = line.request;
  const request = { settings, messages: messages.map(partOf), tools: tools.map(partOf) };
  const ofUser = user && { by: 'user' as const, ...user };
  const ofOther = judge ? { by: 'judge' as const, ...judge } : { by: 'agent' as const, adapter, model };
  const caller = ofUser ?? ofOther;
  const recorded = { occurrence, answer, refusal, http, latency_seconds, cost_usd };
  return { caller, request, key: contentHash(request), ...recorded, line: at.line };
}

function invalid(at: Place, problem: string): SalvoError {
  return new SalvoError(
    'CASSETTE_INVALID',
    `${at.file}:${at.line}: ${problem}. Restore the file, or delete it and record again.`,
    { location: at },
  );
}
