import { isRecord } from '../../text/json/is-record.ts';

/** Applies a JSON Patch (RFC 6902) to a copy. Throws an error that says which operation cannot be applied. */
export function applyPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new Error('a patch should be a list');
  const operations: unknown[] = patch;
  return operations.reduce(applyOperation, structuredClone(document));
}

function applyOperation(document: unknown, operation: unknown): unknown {
  const { op, path, from, value } = isRecord(operation) ? operation : {};
  const fail = (): never => {
    throw new Error(`the operation ${JSON.stringify(operation)?.slice(0, 200)} cannot be applied`);
  };
  const keys = (pointer: unknown): string[] => {
    if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return fail();
    const parts = pointer.split('/').slice(1);
    return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  };
  const target = { document, fail };
  switch (op) {
    case 'add':
      return changed(target, keys(path), { kind: 'add', value });
    case 'replace':
      return changed(target, keys(path), { kind: 'replace', value });
    case 'remove':
      return changed(target, keys(path), { kind: 'remove' });
    case 'copy':
      return changed(target, keys(path), { kind: 'add', value: structuredClone(valueAt(document, keys(from), fail)) });
    case 'move': {
      const moved = valueAt(document, keys(from), fail);
      const without = changed(target, keys(from), { kind: 'remove' });
      return changed({ document: without, fail }, keys(path), { kind: 'add', value: moved });
    }
    case 'test':
      return document;
    default:
      return fail();
  }
}

interface Target {
  document: unknown;
  fail: () => never;
}

type Change = { kind: 'add' | 'replace'; value: unknown } | { kind: 'remove' };

function changed({ document, fail }: Target, [...path]: readonly string[], change: Change): unknown {
  const key = path.pop();
  if (key === undefined) return change.kind === 'remove' ? null : change.value;
  const parent = valueAt(document, path, fail);
  if (Array.isArray(parent)) changeList(parent, key, { change, fail });
  else if (isRecord(parent)) {
    if (change.kind !== 'add' && !Object.hasOwn(parent, key)) fail();
    if (change.kind === 'remove') delete parent[key];
    // Not by assignment: `__proto__` is an ordinary name here.
    else
      Object.defineProperty(parent, key, { value: change.value, writable: true, enumerable: true, configurable: true });
  } else fail();
  return document;
}

function changeList(list: unknown[], key: string, { change, fail }: { change: Change; fail: () => never }): void {
  const index = key === '-' ? list.length : /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1;
  if (index < 0 || index > list.length - (change.kind === 'add' ? 0 : 1)) fail();
  if (change.kind === 'remove') list.splice(index, 1);
  else list.splice(index, change.kind === 'add' ? 0 : 1, change.value);
}

function valueAt(value: unknown, path: readonly string[], fail: () => never): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return fail();
    found = Reflect.get(found, key);
  }
  return found;
}
