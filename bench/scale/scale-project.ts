import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the trials of a run are divided: trials of one scenario, ten of each row, or a hundred of each scenario. */
export type Shape = 'trials' | 'rows' | 'scenarios';
export const SHAPES: readonly Shape[] = ['trials', 'rows', 'scenarios'];

export interface ScaleProject extends Disposable {
  dir: string;
  /** `-n` for the number of trials that was asked for. */
  perCase: number;
  /** What the run is, in words. */
  words: string;
}

const TRIALS_PER_ROW = 10;
const TRIALS_PER_SCENARIO = 100;

/** A project whose scripted agent makes two tool calls and answers; one answer in ten is wrong. About 3 KB of trace. */
export function scaleProject(shape: Shape, trials: number): ScaleProject {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-scale-'));
  writeFileSync(join(dir, 'salvo.yaml'), 'default_adapter: scripted\n');
  mkdirSync(join(dir, 'scenarios'));
  const write = (name: string, text: string) => writeFileSync(join(dir, 'scenarios', `${name}.yaml`), text);
  const project = (perCase: number, words: string): ScaleProject => ({
    ...{ dir, perCase, words },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  });
  if (shape === 'trials') {
    write('orders', scenario('orders', 'A-1'));
    return project(trials, '1 scenario');
  }
  if (shape === 'rows') {
    const rows = Math.max(1, Math.round(trials / TRIALS_PER_ROW));
    const ids = Array.from({ length: rows }, (_, index) => `A-${index}`);
    writeFileSync(join(dir, 'rows.csv'), `id\n${ids.join('\n')}\n`);
    write('orders', scenario('orders', '{{id}}', { data: '../rows.csv' }));
    return project(TRIALS_PER_ROW, `${rows} rows x ${TRIALS_PER_ROW}`);
  }
  const scenarios = Math.max(1, Math.round(trials / TRIALS_PER_SCENARIO));
  for (let index = 0; index < scenarios; index += 1)
    write(`orders-${index}`, scenario(`orders-${index}`, `A-${index}`));
  return project(TRIALS_PER_SCENARIO, `${scenarios} scenarios x ${TRIALS_PER_SCENARIO}`);
}

function scenario(name: string, id: string, more: object = {}): string {
  const lookup = {
    tool_calls: [{ name: 'lookup', arguments: { id } }],
    usage: { input_tokens: 300, output_tokens: 20 },
  };
  return JSON.stringify({
    name,
    ...more,
    system_prompt: 'You are a support agent. Look orders up before you act on them. '.repeat(16),
    prompt: `Where is my order ${id}?`,
    tools: [
      {
        name: 'lookup',
        parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        mock_response: { status: 'shipped', history: 'packed, sent, '.repeat(20) },
      },
    ],
    assertions: [
      { type: 'tool_called', tool: 'lookup', arguments: { id } },
      { path: 'response.content', contains: 'shipped' },
      { type: 'output_matches', pattern: 'order .* shipped' },
    ],
    min_pass_rate: 0.5,
    script: {
      variants: [
        {
          weight: 9,
          turns: [
            lookup,
            lookup,
            { content: `Your order ${id} has been shipped.`, usage: { input_tokens: 400, output_tokens: 12 } },
          ],
        },
        { weight: 1, turns: [{ content: 'I do not know.', usage: { input_tokens: 300, output_tokens: 5 } }] },
      ],
    },
  });
}
