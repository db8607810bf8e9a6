import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A project with one scripted scenario of three turns and two tool calls: about 3 KB of trace a trial. */
export function scriptedProject(options: { delayMs?: number } = {}): Disposable & { dir: string; scenario: string } {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-project-'));
  const scenario = 'scenario.yaml';
  const delay = options.delayMs ? `, delay_ms: ${options.delayMs}` : '';
  writeFileSync(join(dir, 'salvo.yaml'), 'default_adapter: scripted\n');
  writeFileSync(
    join(dir, scenario),
    `name: bench
system_prompt: ${JSON.stringify('You are a support agent. Look orders up before you act on them. '.repeat(16))}
prompt: Where is my order?
tools:
  - name: lookup
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    mock_response: ${JSON.stringify({ status: 'shipped', history: 'packed, sent, '.repeat(20) })}
assertions:
  - { type: tool_called, tool: lookup, arguments: { id: A-1 } }
  - { path: response.content, contains: shipped }
  - { type: output_matches, pattern: "order .* shipped" }
script:
  variants:
    - weight: 9
      turns:
${
  options.delayMs
    ? ''
    : `        - { tool_calls: [{ name: lookup, arguments: { id: A-1 } }], usage: { input_tokens: 300, output_tokens: 20 } }
        - { tool_calls: [{ name: lookup, arguments: { id: A-1 } }], usage: { input_tokens: 300, output_tokens: 20 } }
`
}        - { content: "Your order A-1 has been shipped.", usage: { input_tokens: 400, output_tokens: 12 }${delay} }
    - weight: 1
      turns:
        - { content: "I do not know.", usage: { input_tokens: 300, output_tokens: 5 }${delay} }
`,
  );
  return { dir, scenario, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The mean score of such a run may fall on either side of the threshold. */
export const EITHER_VERDICT = [0, 1];
