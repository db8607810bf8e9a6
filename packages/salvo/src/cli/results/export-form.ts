import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { langfuseDestination, otlpDestination } from '../../app/export/destinations.ts';
import { type Destination, sendTrials } from '../../app/export/send-trials.ts';
import { type ExportTally, newTally, trialsToExport } from '../../app/export/trials-to-export.ts';
import { sleep } from '../../models/call/retry-policy.ts';
import { atifTrajectory, carriedByAtif } from '../../report/export/atif-trajectory.ts';
import type { TrialToExport } from '../../report/export/exported-parts.ts';
import { carriedByLangfuse, langfuseEvents, langfuseTrial } from '../../report/export/langfuse-trial.ts';
import type { CarriedMessages } from '../../report/export/lost-fields.ts';
import { carriedByOpenAi, openAiLine } from '../../report/export/openai-line.ts';
import { CONVENTIONS, otlpRequest } from '../../report/export/otlp-trace.ts';
import { formatPlural } from '../../stats/format.ts';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, writeWholeFile } from '../terminal/write-file.ts';

/** A form of others in which trials can be written. */
interface ExportForm {
  title: string;
  /** A trial as a line of a file. */
  line(trial: TrialToExport): object;
  /** What it keeps of messages; null if nothing is lost. */
  carried: CarriedMessages | null;
  /** How trials are sent to a server, if there is one for the form. */
  server?: {
    destination(address: string, env: Terminal['env']): Destination;
    entries(trial: TrialToExport): string[];
  };
  /** Whether a folder with a file for each trial can be written. */
  folder?: boolean;
}

const EXPORT_FORMS = {
  otel: {
    ...{ title: `OpenTelemetry's spans (${CONVENTIONS})`, line: otlpRequest, carried: null },
    server: {
      destination: otlpDestination,
      entries: (trial) => otlpRequest(trial).resourceSpans.map((spans) => JSON.stringify(spans)),
    },
  },
  openai: { title: "OpenAI's messages", line: openAiLine, carried: carriedByOpenAi },
  atif: { title: 'ATIF', line: atifTrajectory, carried: carriedByAtif, folder: true },
  langfuse: {
    ...{ title: "Langfuse's traces", line: langfuseTrial, carried: carriedByLangfuse },
    server: {
      destination: langfuseDestination,
      entries: (trial) => langfuseEvents(trial).map((event) => JSON.stringify(event)),
    },
  },
} as const satisfies Record<string, ExportForm>;

export interface ExportFormOptions {
  what: string[];
  form: keyof typeof EXPORT_FORMS;
  /** A file, a folder or an address; `-` is standard output. */
  to: string;
}

/** `salvo export --otel`, `--openai`, `--atif`, `--langfuse` */
export async function exportForm({ what, form: name, to }: ExportFormOptions, terminal: Terminal): Promise<number> {
  const form: ExportForm = EXPORT_FORMS[name];
  const tally = newTally();
  const { cwd, env } = terminal;
  const trials = trialsToExport({ cwd, env, what }, tally, form.carried);
  if (/^https?:\/\//i.test(to)) await send(trials, { form, name, to }, terminal);
  else if (to !== '-' && form.folder && !to.endsWith('.jsonl')) await writeFolder(trials, { form, name, to }, terminal);
  else await writeLines(trials, { form, to }, terminal);
  report(tally, { form, to }, terminal);
  return 0;
}

type Trials = AsyncIterable<TrialToExport>;

async function writeLines(trials: Trials, { form, to }: { form: ExportForm; to: string }, terminal: Terminal) {
  const { stdout } = terminal;
  const write = async (print: (text: string) => void | Promise<void>): Promise<void> => {
    for await (const trial of trials) {
      if (to === '-' && stdout.closed) return;
      await print(`${harmlessJson(form.line(trial))}\n`);
    }
  };
  if (to === '-') return await write((text) => stdout.write(text));
  await checkWritable([to], terminal);
  await writeWholeFile(to, terminal, write);
}

interface NamedForm {
  form: ExportForm;
  name: string;
  to: string;
}

/** The folder is there when all files are in it, and not before. */
async function writeFolder(trials: Trials, { form, name, to }: NamedForm, { cwd }: Terminal): Promise<void> {
  const target = resolve(cwd, to);
  const notWritten = (problem: string, cause?: unknown) =>
    new SalvoError('FILE_NOT_WRITTEN', `Could not write ${to}: ${problem}.`, { cause });
  if (/\.json$/i.test(to)) {
    throw notWritten(
      `--${name} writes a folder with a file for each trial, or JSON lines if the name ends with .jsonl`,
    );
  }
  const there = await readdir(target).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw notWritten(errorMessage(error), error);
  });
  if (there !== null && there.length > 0) throw notWritten('the folder is not empty: name a new one');
  const draft = join(dirname(target), `.${randomBytes(4).toString('hex')}.tmp`);
  try {
    await mkdir(draft, { recursive: true });
    for await (const trial of trials) {
      await writeFile(join(draft, fileName(trial)), `${JSON.stringify(form.line(trial), null, 2)}\n`, { flag: 'wx' });
    }
    if (there !== null) await rmdir(target);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error instanceof Error && 'syscall' in error ? notWritten(error.message, error) : error;
  }
}

/** Names of scenarios and cases are not safe in a path, and are not unique. */
function fileName(trial: TrialToExport): string {
  const { run_id, scenario, case_index, trial_number } = trial;
  const readable = scenario.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60);
  const place = EXPORT_FORMS.atif.line(trial).trajectory_id;
  return `${readable}-${case_index + 1}-${trial_number}-${run_id.slice(0, 6)}-${String(place).slice(0, 8)}.json`;
}

async function send(trials: Trials, { form, name, to }: NamedForm, terminal: Terminal): Promise<void> {
  const { server } = form;
  const { env, stop, abort, stderr } = terminal;
  if (server === undefined) {
    throw new SalvoError('OPTIONS_INVALID', `--${name} writes a file, and cannot be sent to an address.`);
  }
  const destination = server.destination(to, env);
  const clear = stderr.isTTY ? '\r\u001b[2K' : '';
  const onSent = (sent: number): void => {
    if (stderr.isTTY) stderr.write(`${clear}${formatPlural(sent, 'trial')} sent`);
  };
  const entries = async function* () {
    for await (const trial of trials) yield server.entries(trial);
  };
  try {
    await sendTrials(entries(), destination, { env, stop, abort, onSent, sleep });
  } finally {
    if (clear !== '') stderr.write(clear);
  }
}

const MOST_FIELDS = 20;

/** What was written, and which fields the form could not say. */
function report(tally: ExportTally, { form, to }: { form: ExportForm; to: string }, { stderr }: Terminal): void {
  const { trials, withoutTrace, lost } = tally;
  const isAddress = /^https?:\/\//i.test(to);
  if (isAddress) stderr.write(`${formatPlural(trials, 'trial')} sent.\n`);
  else if (to !== '-') stderr.write(`${to}: ${formatPlural(trials, 'trial')}.\n`);
  if (withoutTrace > 0) stderr.write(`${formatPlural(withoutTrace, 'trial')} without a trace left out.\n`);
  if (lost.size === 0) return;
  const fields = [...lost].sort(([a, more], [b, fewer]) => fewer - more || (a < b ? -1 : 1));
  stderr.write(`${form.title} cannot carry these fields:\n`);
  for (const [field, times] of fields.slice(0, MOST_FIELDS)) {
    stderr.write(`  ${field}: ${formatPlural(times, 'trial')}\n`);
  }
  if (fields.length > MOST_FIELDS) stderr.write(`  and ${formatPlural(fields.length - MOST_FIELDS, 'more field')}\n`);
}
