/** An assertion in one line: `tool_called tool: "refund", arguments: {"id":"A-1"}`. */
export function demandLine(assertion: Record<string, unknown>): string {
  const { type, id: _, ...fields } = assertion;
  const demand = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [type, demand.join(', ')].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
