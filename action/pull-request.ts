import { readFileSync } from 'node:fs';

/** What an event says about the change that is tested. Null where it says nothing. */
export interface ChangeEvent {
  pullRequest: number | null;
  /** From another repository: its token may only read. */
  isFork: boolean;
  /** The branch that the change is for. */
  targetBranch: string | null;
}

/** Reads the payload of `pull_request`, `pull_request_target`, `merge_group`, `push`, `workflow_dispatch` and others. */
export function readEvent(payload: unknown): ChangeEvent {
  const pull = field(payload, 'pull_request');
  const group = field(payload, 'merge_group');
  const number = field(pull, 'number');
  const base = field(pull, 'base');
  const head = field(pull, 'head');
  // The repository of a fork that was deleted is null.
  const isFork = isRecord(pull) && repositoryOf(head) !== repositoryOf(base);
  const target = field(base, 'ref') ?? withoutHeads(field(group, 'base_ref'));
  return {
    pullRequest: typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null,
    isFork,
    targetBranch: typeof target === 'string' && isBranch(target) ? target : null,
  };
}

export function readEventFile(file: string | undefined): ChangeEvent {
  if (!file) return readEvent(null);
  return readEvent(JSON.parse(readFileSync(file, 'utf8')));
}

/** Names that git takes for a branch and nothing else. */
export function isBranch(name: string): boolean {
  return /^[\w][\w./+@#-]{0,250}$/.test(name) && !name.includes('..') && !name.includes('@{');
}

function repositoryOf(side: unknown): unknown {
  return field(field(side, 'repo'), 'full_name');
}

function withoutHeads(ref: unknown): unknown {
  return typeof ref === 'string' ? ref.replace(/^refs\/heads\//, '') : undefined;
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
