import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { list, some } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { injectionNames } from './injection-pack.ts';

/** The keys that only some kinds of faults have. */
const KINDS_WITH: Record<string, readonly string[]> = {
  after: ['timeout', 'http_500', 'connection_lost'],
  message: ['timeout', 'http_429', 'http_500', 'connection_lost'],
  delay_ms: ['slow'],
  respond: ['stale'],
  texts: ['injection'],
};

/** Checks the faults of all tools of a scenario. */
export function checkToolFaults(report: Report, tools: unknown): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool) || !Array.isArray(tool.faults)) continue;
    const path = ['tools', index, 'faults'];
    checkFaults(report, { faults: tool.faults, path });
    for (const [position, fault] of tool.faults.entries()) {
      if (!isRecord(fault)) continue;
      const at = [...path, position];
      if (fault.tools !== undefined && tool.mcp === undefined) {
        const message = '"tools" chooses tools of an MCP server, and this is one tool';
        report({ code: 'conflicting-keys', message, hint: 'leave it out', path: [...at, 'tools'], at: 'key' });
      }
      if (fault.after === true && tool.effect === 'read') {
        const message = 'the tool only reads, so that it makes no difference whether it did before the answer was lost';
        report({ severity: 'warning', code: 'unused-value', message, path: [...at, 'after'], at: 'key' });
      }
    }
  }
}

interface WrittenFaults {
  faults: readonly unknown[];
  path: Path;
}

/** Checks what the schema of a fault cannot: keys that its kind does not have, and chances above 1. */
export function checkFaults(report: Report, { faults, path }: WrittenFaults): void {
  for (const [index, fault] of faults.entries()) if (isRecord(fault)) checkFault(report, fault, [...path, index]);
  checkChances(report, { faults, path });
}

function checkFault(report: Report, fault: Record<string, unknown>, path: Path): void {
  if (fault.rate === undefined && fault.calls === undefined) {
    const message = 'a fault needs "rate", the chance of each call, or "calls", the calls that it happens at';
    report({ code: 'missing-key', message, hint: 'such as rate: 20%, or calls: 1', path, missing: ['rate', 'calls'] });
  }
  if (readShare(fault.rate) === 0) {
    const message = 'with a rate of 0 the fault never happens';
    report({ severity: 'warning', code: 'unused-value', message, path: [...path, 'rate'] });
  }
  for (const [key, kinds] of Object.entries(KINDS_WITH)) {
    if (fault[key] === undefined || typeof fault.kind !== 'string' || kinds.includes(fault.kind)) continue;
    const why =
      key === 'after' && fault.kind === 'http_429' ? ': a request that is refused with 429 was not executed' : '';
    const message = `"${key}" is for ${list([...kinds], 'and')}, and not for ${fault.kind}${why}`;
    report({ code: 'conflicting-keys', message, hint: 'leave it out', path: [...path, key], at: 'key' });
  }
  if (fault.kind !== 'injection' || !Array.isArray(fault.texts)) return;
  const names = injectionNames();
  for (const [index, name] of fault.texts.entries()) {
    if (typeof name !== 'string' || names.includes(name)) continue;
    const message = `the pack of injections has no text "${name}"`;
    report({
      code: 'invalid-value',
      message,
      hint: suggestion(name, names, `it has: ${some(names)}`),
      path: [...path, 'texts', index],
    });
  }
}

/** A call has at most one fault, so that the chances of all faults of a call are at most 1 together. */
function checkChances(report: Report, { faults, path }: WrittenFaults): void {
  const sums = new Map<string, number>();
  const reported = new Set<string>();
  for (const [index, fault] of faults.entries()) {
    if (!isRecord(fault)) continue;
    const calls: readonly unknown[] = fault.calls === undefined ? ['any'] : [fault.calls].flat();
    const chance = readShare(fault.rate) ?? (fault.calls === undefined ? 0 : 1);
    for (const call of calls) {
      for (const tool of Array.isArray(fault.tools) ? fault.tools : ['']) {
        const key = `${String(call)} ${String(tool)}`;
        const sum = (sums.get(key) ?? 0) + chance;
        sums.set(key, sum);
        if (sum <= 1 + 1e-9 || reported.has(String(call))) continue;
        reported.add(String(call));
        const which = call === 'any' ? 'the rates of the faults' : `the rates of the faults at call ${String(call)}`;
        const message = `${which} are ${Math.round(sum * 100)}% together, and a call has at most one fault`;
        report({
          code: 'invalid-value',
          message,
          hint: 'give rates that are at most 100% together',
          path: [...path, index, ...(fault.rate === undefined ? [] : ['rate'])],
        });
      }
    }
  }
}
