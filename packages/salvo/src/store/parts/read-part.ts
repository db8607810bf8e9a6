import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { trialKey } from '../../run/record/planned-cases.ts';
import type { StoredTrial } from '../../run/record/run-record.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { newerVersion } from '../../text/errors/unreadable-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { bracketsFrom, MAX_NESTING } from '../../text/json/nesting.ts';
import type { Trace } from '../../trace/trace.ts';
import { dehydrate, traceIdOf } from '../documents/dehydrate.ts';
import { conforms } from '../documents/document-codec.ts';
import {
  PART_VERSION,
  type PartHeader,
  type PartTrial,
  partEndSchema,
  partHeaderSchema,
  partTrialSchema,
  trialsOfPart,
} from './part-document.ts';

/** A part that was read and checked to its end. */
export interface Part {
  file: string;
  header: PartHeader;
  /** Of its content: equal for copies of the same part. */
  sha256: string;
  /** How many trials it has. */
  count: number;
  /** Read from the file again, so that a part of any size needs little memory. */
  trials: () => AsyncIterable<PartTrial>;
}

const LONGEST_LINE = 256 * 1024 * 1024;

/** Reads a part and checks all of it: that it is complete, unchanged, and has only trials of its shard, each once. */
export async function readPart(file: string): Promise<Part> {
  const sha256 = createHash('sha256');
  let header: PartHeader | null = null;
  let belongs: (trial: StoredTrial) => boolean = () => false;
  let end: z.infer<typeof partEndSchema> | null = null;
  let count = 0;
  const seen = new Set<string>();
  for await (const { text, number } of linesOf(file)) {
    const at = { file, line: number };
    if (end) throw invalid(at, 'there is something behind the end of the part');
    const value = parseLine(text, at);
    if (header === null) {
      refuseNewer(value, at);
      header = checked(partHeaderSchema, value, at);
      belongs = trialsOfPart(header);
    } else if (partEndSchema.safeParse(value).success) {
      end = checked(partEndSchema, value, at);
      continue;
    } else {
      const { trial } = checkTrial(trialIn(value, at), header, at);
      const name = `${trial.scenario_index}/${trialKey(trial.case_index, trial.trial_number)}`;
      if (!belongs(trial)) throw invalid(at, `trial ${trial.trial_number} does not belong to this shard`);
      if (seen.has(name)) throw invalid(at, `trial ${trial.trial_number} is there twice`);
      seen.add(name);
      count += 1;
    }
    sha256.update(`${text}\n`);
  }
  if (!header || !end) throw unfinished(file);
  const digest = sha256.digest('hex');
  if (end.trials !== count || end.sha256 !== digest) {
    throw invalid({ file }, 'its content does not match its checksum: it was changed or damaged');
  }
  return { file, header, sha256: digest, count, trials: () => trialsIn(file) };
}

async function* trialsIn(file: string): AsyncGenerator<PartTrial> {
  for await (const { text, number } of linesOf(file)) {
    if (number === 1) continue;
    const at = { file, line: number };
    const value = parseLine(text, at);
    if (partEndSchema.safeParse(value).success) return;
    yield trialIn(value, at);
  }
}

function checkTrial(line: PartTrial, { run }: PartHeader, at: Place): PartTrial {
  const { trial, trace } = line;
  const { result } = trial;
  const isOfRun = trial.run_id === run.run_id;
  const isOfTrial =
    result === null || (result.case_index === trial.case_index && result.trial_number === trial.trial_number);
  if (!isOfRun || !isOfTrial) throw invalid(at, 'the result is that of another trial');
  if (!isTraceOf(trial, trace)) throw invalid(at, 'the trace is that of another trial');
  return line;
}

function isTraceOf({ trace_id }: StoredTrial, trace: Trace | null): boolean {
  if (trace === null || trace_id === null) return trace === trace_id;
  const stored = dehydrate(trace);
  if (trace_id === traceIdOf(stored, trace)) return true;
  // Earlier versions took a hash only: of the stored form, and before that of the JSON with its keys sorted.
  return [hash('sha256', stored.document, 'hex'), contentHash(trace)].some((id) => trace_id === id.slice(0, 32));
}

interface Place {
  file: string;
  line?: number;
}

function parseLine(text: string, at: Place): unknown {
  if (bracketsFrom(text, 0).deepest > MAX_NESTING) throw invalid(at, 'it is nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(at, 'it is no JSON');
  }
}

/** The line itself, not zod's copy, in which keys are in another order and the trace would get another id. */
function trialIn(value: unknown, at: Place): PartTrial {
  return conforms(partTrialSchema, value) ? value : checked(partTrialSchema, value, at);
}

function checked<T>(schema: z.ZodType<T>, value: unknown, at: Place): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  throw invalid(at, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'a wrong value'}`);
}

function refuseNewer(header: unknown, at: Place): void {
  const version = isRecord(header) ? header.salvo_part : undefined;
  if (typeof version !== 'number' || version <= PART_VERSION) return;
  throw new SalvoError('PART_INVALID', `${at.file} was ${newerVersion(version, PART_VERSION)}.`, { location: at });
}

function invalid(at: Place, problem: string): SalvoError {
  const place = at.line === undefined ? at.file : `${at.file}:${at.line}`;
  const message = `${place} is no part of a run: ${problem}. \`salvo run --shard\` writes parts.`;
  return new SalvoError('PART_INVALID', message, { location: at });
}

function unfinished(file: string): SalvoError {
  return new SalvoError('PART_UNFINISHED', `${file} is incomplete: it has no end. Run this shard again.`, {
    outcome: 'unscored',
    location: { file },
  });
}

async function* linesOf(file: string): AsyncGenerator<{ text: string; number: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const waiting: Buffer[] = [];
  let length = 0;
  let number = 0;
  const take = (rest: Buffer): { text: string; number: number } => {
    number += 1;
    const bytes = Buffer.concat([...waiting, rest]);
    waiting.length = 0;
    length = 0;
    try {
      return { text: decoder.decode(bytes), number };
    } catch {
      throw invalid({ file, line: number }, 'it is no UTF-8 text');
    }
  };
  try {
    for await (const chunk of createReadStream(file)) {
      let bytes = Buffer.from(chunk);
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10)) {
        yield take(bytes.subarray(0, at));
        bytes = bytes.subarray(at + 1);
      }
      length += bytes.length;
      if (length > LONGEST_LINE) throw invalid({ file, line: number + 1 }, 'a line is too long');
      if (bytes.length > 0) waiting.push(bytes);
    }
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError('FILE_UNREADABLE', `Could not read ${file}: ${errorMessage(cause)}.`, { cause });
  }
  // A line without its end is one that was cut off.
  if (waiting.length > 0) throw unfinished(file);
}
