import { isRecord } from '../../text/json/is-record.ts';

type Fields = Record<string, unknown>;

export type TaskState =
  | 'submitted'
  | 'working'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  | 'input-required'
  | 'auth-required';

/** A task of an agent, or its answer without one, put together from what A2A sends: whole tasks, and changes of them. */
export class A2aTask {
  id: string | undefined;
  contextId: string | undefined;
  state: TaskState | undefined;
  /** The texts of artifacts by their id. */
  readonly #artifacts = new Map<string, string>();
  /** What the agent said last. */
  #said = '';
  /** The agent answered with a message, and there is no task. */
  isMessage = false;

  /** Adds a result of JSON-RPC. False if it is nothing that A2A knows. */
  add(result: unknown): boolean {
    if (!isRecord(result)) return false;
    // Version 1.0 wraps what earlier versions mark by `kind`.
    const { task, message, statusUpdate, artifactUpdate } = result;
    if (isRecord(task))
      return this.#addTask(task) && (!isRecord(result.artifact) || this.#addArtifact(result.artifact, result.artifact));
    if (isRecord(message) && result.kind === undefined) return this.#addMessage(message);
    if (isRecord(statusUpdate)) return this.#addStatus(statusUpdate);
    if (isRecord(artifactUpdate)) return this.#addUpdate(artifactUpdate);
    if (result.kind === 'message') return this.#addMessage(result);
    if (result.kind === 'status-update') return this.#addStatus(result);
    if (result.kind === 'artifact-update') return this.#addUpdate(result);
    return (result.kind === 'task' || 'status' in result) && this.#addTask(result);
  }

  /** Whether nothing more comes without another request. */
  get isOver(): boolean {
    return this.isMessage || (this.state !== undefined && this.state !== 'submitted' && this.state !== 'working');
  }

  /** What the agent has made, or else what it said. One that asks has not answered yet: what it said is its question. */
  get text(): string {
    const made = [...this.#artifacts.values()].filter((text) => text !== '').join('\n');
    return made === '' || this.state === 'input-required' ? this.#said || made : made;
  }

  #addTask(task: Fields): boolean {
    this.#addIds({ taskId: task.id, contextId: task.contextId });
    for (const artifact of listOf(task.artifacts)) this.#addArtifact(artifact, { append: false });
    const answers = listOf(task.history).filter(({ role }) => role === 'agent' || role === 'ROLE_AGENT');
    const last = answers.at(-1);
    if (last) this.#said = textOf(last.parts);
    return this.#addStatus({ status: task.status });
  }

  #addStatus({ status, ...ids }: Fields): boolean {
    this.#addIds(ids);
    if (!isRecord(status)) return false;
    this.state = stateOf(status.state) ?? this.state;
    if (isRecord(status.message)) this.#said = textOf(status.message.parts);
    return true;
  }

  #addUpdate({ artifact, append, ...ids }: Fields): boolean {
    this.#addIds(ids);
    return isRecord(artifact) && this.#addArtifact(artifact, { append });
  }

  #addArtifact(artifact: Fields, { append }: { append?: unknown }): boolean {
    const { artifactId, name } = artifact;
    const id = String(artifactId ?? name ?? '');
    this.#artifacts.set(id, `${append === true ? (this.#artifacts.get(id) ?? '') : ''}${textOf(artifact.parts)}`);
    return true;
  }

  #addMessage({ parts, ...ids }: Fields): boolean {
    this.#addIds({ contextId: ids.contextId });
    this.#said = textOf(parts);
    this.isMessage = true;
    return true;
  }

  #addIds({ taskId, contextId }: { taskId?: unknown; contextId?: unknown }): void {
    if (typeof taskId === 'string' && taskId !== '') this.id = taskId;
    if (typeof contextId === 'string' && contextId !== '') this.contextId = contextId;
  }
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required` of earlier versions. */
function stateOf(state: unknown): TaskState | undefined {
  const name = String(state)
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return STATES.find((each) => each === name);
}

const STATES: readonly TaskState[] = [
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'rejected',
  'input-required',
  'auth-required',
];

/** Data is written as JSON, and a file is named. */
function textOf(parts: unknown): string {
  return listOf(parts).map(partText).join('');
}

function partText(part: Fields): string {
  if (typeof part.text === 'string') return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data);
  const file = isRecord(part.file) ? part.file : part;
  const name = file.name ?? file.filename ?? file.uri ?? file.url ?? file.mimeType ?? file.mediaType;
  return typeof name === 'string' ? `[file: ${name}]` : '[file]';
}
