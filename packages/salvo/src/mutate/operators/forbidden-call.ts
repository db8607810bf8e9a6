import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import type { Tool } from '../../scenario/schema/tool-schema.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { sameTool } from '../../trace/agent-call.ts';
import { type CallContent, withCallAfter, withFirstCall } from '../edit-trace.ts';
import { type Operator, type Site, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { NO_CALLS_KNOWN } from './known-from.ts';

/** Tools that change something, and that no passing trace of the case called. */
export function unusedWriteTools({ trace, siblings, scenario }: Subject): Tool[] {
  const called = [trace, ...siblings].flatMap(({ tool_calls_made }) => tool_calls_made.map(({ name }) => name));
  return scenario.tools.filter(
    ({ name, effect }) => name !== '' && effect === 'write' && !called.some((other) => sameTool(name, other)),
  );
}

export const FORBIDDEN_CALL: Operator = {
  name: 'forbidden_call',
  must: 'fail',
  change: 'A tool that changes something is called on the way, although nothing asked for it.',
  why: 'The tool has `effect: write`, and no passing trace of the case called it: the change is one that nobody needed. With a state document, the state has to differ.',
  sites(subject) {
    if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
    const unused = unusedWriteTools(subject);
    if (unused.length === 0)
      return skip('no tool with `effect: write` that the passing traces of the case did not call');
    const sites = unused.flatMap((tool): Site[] => {
      const args = fittingArguments(tool, subject);
      if (args === null) return [];
      const content: CallContent = {
        name: tool.name,
        arguments: args,
        result: 'done',
        is_error: false,
        effect: 'write',
      };
      const last = subject.trace.tool_calls_made.length - 1;
      return [
        {
          label: tool.name,
          note: `${tool.name} was called, although no passing trace calls it`,
          make: () => ({
            trace: last >= 0 ? withCallAfter(subject.trace, last, content) : withFirstCall(subject.trace, content),
            changesCalls: true,
          }),
        },
      ];
    });
    return sitesOr(sites, 'no arguments are known that such a tool accepts');
  },
};

/** Arguments that the tool accepts, with values of the conversation where names agree; null if none were found. */
function fittingArguments({ parameters }: Tool, subject: Subject): Record<string, unknown> | null {
  const properties = isRecord(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : Object.keys(properties);
  const known = Object.assign({}, ...subject.trace.tool_calls_made.map((call) => call.arguments));
  const args = Object.fromEntries(required.map((name) => [name, known[name] ?? valueFor(properties[name])]));
  return compileJsonSchema(parameters)(args).length === 0 ? args : null;
}

function valueFor(schema: unknown): unknown {
  if (!isRecord(schema)) return 'mutant';
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? Math.max(1, schema.minimum) : 1;
    case 'boolean':
      return true;
    case 'array':
      return [valueFor(schema.items)];
    case 'object':
      return {};
    default:
      return 'mutant';
  }
}
