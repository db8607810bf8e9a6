import { sameTool } from '../../trace/agent-call.ts';
import type { ToolCallRecord } from '../../trace/trace.ts';
import type { Tool } from '../schema/tool-schema.ts';

/** How the names of tools begin that only look something up. */
const READING =
  /^(?:get|list|find|search|look|lookup|read|fetch|query|check|show|view|describe|count|retrieve|load|calculate|compute|think|verify|validate|browse|open|glob|grep|ls|cat)(?=[_A-Z-]|$)/;

/** Whether a call of the tool may change something: as its scenario says, else as its name sounds. */
export function mayWrite(name: string, { effect }: { effect?: Tool['effect'] | undefined }): boolean {
  if (effect !== undefined) return effect === 'write';
  const own = name.split(/__|[.:/]/).at(-1) ?? name;
  return !READING.test(/^[A-Z]/.test(own) ? (own[0] ?? '').toLowerCase() + own.slice(1) : own);
}

export function isWriteCall(call: ToolCallRecord, tools: readonly Pick<Tool, 'name' | 'effect'>[]): boolean {
  const effect = call.effect ?? tools.find(({ name }) => sameTool(name, call.name))?.effect;
  return mayWrite(call.name, { effect });
}
