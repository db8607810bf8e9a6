import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Script } from '../../adapters/script-schema.ts';
import type { TurnRange } from '../../scenario/from-trace/cut-conversation.ts';
import { type GroupedDraft, scenarioOfGroup, withUsedColumns } from '../../scenario/from-trace/group-draft.ts';
import { proposeFailing } from '../../scenario/from-trace/propose-failing.ts';
import { proposePassing } from '../../scenario/from-trace/propose-passing.ts';
import { type TraceDraft, traceDraft } from '../../scenario/from-trace/scenario-draft.ts';
import { readScenarioText, scenarioText, withoutTemplates } from '../../scenario/from-trace/scenario-text.ts';
import { scriptOf } from '../../scenario/from-trace/script-of-trace.ts';
import type { ChosenAssertion, Proposal, SourceTrace } from '../../scenario/from-trace/source-trace.ts';
import {
  type ScenarioHead,
  scenarioOfDraft,
  type WrittenScenario,
  withAssertions,
} from '../../scenario/from-trace/written-scenario.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { createDocumentRedactor } from '../../store/redaction/redact-document.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { jsonEqual } from '../../text/json/json-equal.ts';
import { type Trace, traceSchema } from '../../trace/trace.ts';
import { projectRedactor, type Workplace } from '../project/open-project.ts';
import { checkedProposals, loadedScenario } from './checked-proposals.ts';
import { assertionNotes, scenarioComments } from './scenario-comments.ts';
import { fileStem, nameOfWhy, uniqueNames } from './scenario-names.ts';

export interface ScenarioFromTraceOptions extends Workplace {
  /**
   * Trials, named as for `replayTrial`, and files with conversations: `chat.json`, or `chats.jsonl#3` for the third. Several
   * become one scenario with data.
   */
  targets?: readonly string[] | undefined;
  /** The format of the files, as `salvo import` calls it. Default: recognised by their content. */
  format?: string | undefined;
  /** A trace at hand instead, such as one of `traceFrom`. */
  trace?: Trace | undefined;
  /** The turns of the user that the agent has to answer, from 1. Those before become history. */
  turns?: TurnRange | undefined;
  /** What was wrong: the scenario gets assertions that the trace fails. */
  failed?: string | undefined;
  /** The name of the scenario. */
  name?: string | undefined;
  /** The file that it is for. Default: named after the scenario, in `scenarios_dir`. */
  out?: string | undefined;
  /** All trials of a run, and all conversations of a file, as one scenario with data. */
  group?: boolean | undefined;
}

/** A scenario that is not written yet. */
export interface ScenarioFromTrace {
  name: string;
  /** The file that it is for. */
  file: string;
  /** The content of the file. */
  text: string;
  assertions: ChosenAssertion[];
  /** What a reader should know about it. */
  notes: string[];
}

/** A scenario file of recorded conversations. Its assertions are tried on them, and only those are kept that hold. */
export async function scenarioFromTrace(options: ScenarioFromTraceOptions): Promise<ScenarioFromTrace> {
  const { cwd = process.cwd(), env = process.env, group: isGroup = false } = options;
  const project = await loadSettings(cwd);
  const { targets = options.trace ? [] : ['latest'], failed } = options;
  const { findSources } = await import('./find-sources.ts');
  const several = isGroup || targets.length > 1;
  const search = { project, cwd, env, targets, format: options.format };
  const found = await findSources({ ...search, isGroup: several, isFailure: failed !== undefined });
  const given = options.trace ? [sourceOfGiven(options.trace)] : [];
  const sources = [...given, ...found.sources];
  const groupName = sources.length > 1 ? found.name : undefined;
  return await scenarioOfSources(sources, { ...options, cwd, env, project, notes: found.notes, groupName });
}

function sourceOfGiven(trace: Trace): SourceTrace {
  return { trace, scenario: null, origin: 'a conversation', name: 'conversation', failed: [] };
}

export interface SourceOptions
  extends Pick<ScenarioFromTraceOptions, 'turns' | 'failed' | 'name' | 'out'>,
    Required<Pick<Workplace, 'cwd' | 'env'>> {
  project: Project;
  notes: readonly string[];
  /** What several traces are called together. */
  groupName?: string | undefined;
}

/** The same for traces that were found already. */
export async function scenarioOfSources(
  given: readonly SourceTrace[],
  options: SourceOptions,
): Promise<ScenarioFromTrace> {
  const { project } = options;
  const redactor = projectRedactor(project, options.env ?? {});
  const why = options.failed === undefined ? undefined : redactor.text(options.failed.trim());
  if (why === '') throw new SalvoError('OPTIONS_INVALID', 'Say what was wrong: {option:failed} "refunded twice".');
  const [first] = given;
  if (!first) throw new SalvoError('TRACES_MISSING', 'There is no conversation to make a scenario of.');
  const name = redactor
    .text(options.name ?? (why === undefined ? null : nameOfWhy(why)) ?? options.groupName ?? first.name)
    .slice(0, 200);
  const file =
    options.out === undefined
      ? join(project.root, project.config.scenarios_dir, `${fileStem(name)}.yaml`)
      : resolve(options.cwd ?? '.', options.out);
  const { sources, drafts } = distinctDrafts(given, options);
  const head = headOf(sources, { name, why, file, project });
  const made = { sources, drafts, head, why, file, project, isCut: options.turns !== undefined };
  const { scenario, proposals } = sources.length === 1 ? ofOne(made) : ofMany(made);
  const assertions = await chosenAssertions(proposals, { ...made, scenario });
  const used = withUsedColumns(
    scenario,
    assertions.map(({ assertion }) => assertion),
  );
  const written = withAssertions(used, assertions);
  loadedScenario(written, made);
  const text = scenarioText(written, scenarioComments({ sources, why, assertions }));
  refuseUnlessSame(text, { written, file });
  const notes = [
    ...options.notes,
    ...new Set(drafts.flatMap((draft) => draft.notes)),
    ...assertionNotes(why, assertions),
  ];
  return { name, file, text, assertions, notes };
}

/** Without secrets, and without conversations that are the same as another: they would be one case that counts twice. */
function distinctDrafts(given: readonly SourceTrace[], { project, env, turns }: SourceOptions) {
  const redact = createDocumentRedactor({ redactor: projectRedactor(project, env ?? {}), mode: 'full' });
  const all = given.map((source) => {
    const own = { ...source, trace: redact(traceSchema, source.trace) };
    return { source: own, draft: traceDraft(own, turns ?? null) };
  });
  const keyOf = ({ draft: { systemPrompt, messages, tools } }: (typeof all)[number]) =>
    contentHash([systemPrompt, messages, tools]);
  const distinct = [...new Map(all.toReversed().map((each) => [keyOf(each), each])).values()].toReversed();
  return { sources: distinct.map(({ source }) => source), drafts: distinct.map(({ draft }) => draft) };
}

interface Made {
  sources: readonly SourceTrace[];
  drafts: readonly TraceDraft[];
  head: ScenarioHead;
  why: string | undefined;
  file: string;
  project: Project;
  /** The turns are not all of the conversation. */
  isCut: boolean;
}

function headOf(
  sources: readonly SourceTrace[],
  { name, why, file, project }: { name: string; why: string | undefined; file: string; project: Project },
): ScenarioHead {
  const origin = sources.length === 1 ? sources[0]?.origin : `${sources.length} conversations`;
  const description = why ?? `Made of ${origin}.`;
  const [first] = sources;
  const { adapter, model, tools_seen, own_tools } = first?.scenario ?? {};
  const isModule = adapter?.startsWith('.') ?? false;
  const path = adapter && isModule ? relativePath(dirname(file), resolve(project.root, adapter)) : adapter;
  return {
    name,
    description,
    agent: {
      ...(path !== undefined && { adapter: path }),
      ...(model !== undefined && { model }),
      ...(tools_seen && { tools_seen }),
      ...(own_tools && { own_tools }),
    },
  };
}

function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}

interface Proposed {
  scenario: WrittenScenario;
  /** Assertions that the traces should fail; none unless something was wrong. */
  proposals: { failing: Proposal[]; passing: Proposal[] };
}

function ofOne({ sources, drafts, head, why, isCut }: Made): Proposed {
  const [source] = sources;
  const [draft] = drafts;
  if (!source || !draft) throw new RangeError('a scenario needs a trace');
  const script = scriptFor(source, draft, isCut);
  return {
    scenario: scenarioOfDraft({ ...head, agent: { ...head.agent, ...(script && { script }) } }, draft),
    proposals: {
      failing: why === undefined ? [] : proposeFailing({ ...draft, failed: source.failed, why }),
      passing: proposePassing(draft.trace, draft.tools),
    },
  };
}

/** An agent that is a script: as it was, or, if that is for other turns than these, what it said in them. */
function scriptFor({ scenario }: SourceTrace, draft: TraceDraft, isCut: boolean): Script | undefined {
  if (scenario?.script === undefined || !isCut) return scenario?.script;
  const script = scriptOf(draft);
  return script.length === 0 ? undefined : script;
}

function ofMany({ sources, drafts, head, why, isCut }: Made): Proposed {
  const names = uniqueNames(sources.map(({ name }) => name));
  const grouped = drafts.map((draft, index): GroupedDraft => {
    const source = sources[index];
    return {
      ...draft,
      name: names[index] ?? String(index + 1),
      script: source && scriptFor(source, draft, isCut),
      proposals: proposePassing(draft.trace, draft.tools),
    };
  });
  const { scenario, proposals: passing } = scenarioOfGroup(head, grouped);
  const failing =
    why === undefined
      ? []
      : drafts.flatMap((draft, index) => proposeFailing({ ...draft, failed: sources[index]?.failed ?? [], why }));
  return {
    scenario,
    proposals: {
      passing,
      failing: failing.map((each) => ({ ...each, assertion: Object(withoutTemplates(each.assertion)) })),
    },
  };
}

/** Those that hold. If nothing that the traces fail was found, what they pass: a test that can be completed. */
async function chosenAssertions(
  { failing, passing }: Proposed['proposals'],
  { scenario, drafts, why, file, project, sources }: Made & { scenario: WrittenScenario },
): Promise<ChosenAssertion[]> {
  const checked = { scenario, traces: drafts.map(({ trace }) => trace), file, project };
  const failed = await checkedProposals(failing, 'failed', checked);
  const judged = why === undefined ? [] : await judgeProposal(why, { project, isGroup: sources.length > 1 });
  const passed = failed.length > 0 ? [] : await checkedProposals(passing, 'passed', checked);
  return [
    ...failed.map((each): ChosenAssertion => ({ ...each, verdict: 'failed' })),
    ...judged.map((each): ChosenAssertion => ({ ...each, verdict: 'not tried' })),
    ...passed.map((each): ChosenAssertion => ({ ...each, verdict: 'passed' })),
  ];
}

/** A judge of the project can be asked in the words of the person. It would cost something to try it. */
async function judgeProposal(
  why: string,
  { project, isGroup }: { project: Project; isGroup: boolean },
): Promise<Proposal[]> {
  const settings = project.file === null ? '' : await readFile(project.file, 'utf8').catch(() => '');
  if (!/^judge:/m.test(settings)) return [];
  const description = `This problem does not occur: ${why}`;
  const criteria = [
    { name: 'the problem', description: isGroup ? String(withoutTemplates(description)) : description },
  ];
  return [{ assertion: { type: 'judge', criteria }, why: 'In your words. Not tried on the trace: it asks a model.' }];
}

const MOST_BYTES = 1024 * 1024;

/** What is read again must be what was meant, whatever texts are in it. */
function refuseUnlessSame(text: string, { written, file }: { written: WrittenScenario; file: string }): void {
  const { value, problems } = readScenarioText(text, file);
  const [problem] = problems;
  if (Buffer.byteLength(text) > MOST_BYTES || problem?.code === 'too-large') {
    throw new SalvoError(
      'FILE_TOO_LARGE',
      'The conversation is too long for a scenario file, which may have 1 MB. Take a part of it: {option:turns} 1-4.',
    );
  }
  if (!problem && jsonEqual(value, JSON.parse(JSON.stringify(written)))) return;
  const why = problem?.message ?? 'it has texts that would be read otherwise';
  throw new SalvoError('TRACE_INVALID', `The conversation cannot be written as a scenario file: ${why}.`);
}
