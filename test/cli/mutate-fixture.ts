import { type MutateDocument, mutateDocumentSchema } from '../../packages/salvo/src/mutate/mutate-document.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const PARAMETERS = { type: 'object', properties: {} };

const REFUND_TOOLS = [
  {
    name: 'lookup_order',
    effect: 'read',
    parameters: PARAMETERS,
    mock_response: {
      ...{ order_id: 'A-1001', payment_id: 'P-777', customer: 'Ada Byron', paid: 49.9, status: 'delivered' },
    },
  },
  { name: 'check_policy', effect: 'read', parameters: PARAMETERS, mock_response: 'Broken goods are refunded.' },
  {
    name: 'issue_refund',
    effect: 'write',
    parameters: PARAMETERS,
    mock_response: { refund_id: 'R-7751', arrives: '2026-05-20' },
  },
  { name: 'send_email', effect: 'write', parameters: PARAMETERS, mock_response: 'sent' },
];

/** Assertions that notice everything that `salvo mutate` changes. */
export const STRONG_ASSERTIONS = {
  refund: { type: 'tool_called', tool: 'issue_refund', arguments: { payment_id: 'P-777', amount: 49.9 }, times: 1 },
  order: { type: 'tool_sequence', sequence: ['lookup_order', 'issue_refund'] },
  errors: { path: 'length(tool_calls[?is_error])', eq: 0 },
  email: { type: 'tool_not_called', tool: 'send_email' },
  facts: { type: 'output_contains', value: ['Ada', 'A-1001', 'R-7751', '2026-05-20', 'delivered'] },
  amount: { type: 'output_matches', pattern: '49[.,]90?' },
  end: { path: 'response.finish_reason', eq: 'stop' },
  english: { type: 'output_matches', pattern: '(?i)\\b(the|have|your)\\b' },
  claims: { type: 'no_false_success', claim: '(?i)\\b(have|was)( also)? sent\\b', needs: { tool: 'send_email' } },
  instructions: { type: 'output_not_contains', value: 'You are the desk' },
};

/** A scenario whose agent refunds an order, as a YAML file. */
export function refundScenario(assertions: object, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    name: 'refund',
    system_prompt: 'You are the desk of a shop. Refund what was paid, and never more.',
    prompt: 'The kettle of my order A-1001 is broken. Can you refund it to me?',
    tools: REFUND_TOOLS,
    assertions: Object.entries(assertions).map(([id, assertion]) => ({ id, ...assertion })),
    script: [
      {
        tool_calls: [
          { name: 'lookup_order', arguments: { order_id: 'A-1001' } },
          { name: 'check_policy', arguments: { topic: 'refunds' } },
        ],
      },
      { tool_calls: [{ name: 'issue_refund', arguments: { payment_id: 'P-777', amount: 49.9 } }] },
      {
        content:
          'I have refunded 49.90 to Ada for the order A-1001, which was delivered. The number of your refund is R-7751. It arrives until 2026-05-20.',
      },
    ],
    trials: 1,
    ...changes,
  });
}

/** A project with a run of the refund. */
export async function refundProject(
  assertions: object = STRONG_ASSERTIONS,
  changes: Record<string, unknown> = {},
  files: Record<string, string> = {},
) {
  const project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'refund.yaml': refundScenario(assertions, changes),
    ...files,
  });
  const { code, stderr } = await runCli(['run', 'refund.yaml', '-q'], { cwd: project.root });
  if (code !== 0) throw new Error(stderr);
  return project;
}

/** What `salvo mutate --json` prints. */
export async function mutated(
  project: ProjectFixture,
  ...args: string[]
): Promise<{ document: MutateDocument; code: number | null }> {
  const { code, stdout, stderr } = await runCli(['mutate', '--json', ...args], { cwd: project.root });
  if (stdout === '') throw new Error(stderr);
  return { document: mutateDocumentSchema.parse(JSON.parse(stdout)), code };
}

export function survivingOperators({ survivors }: MutateDocument): string[] {
  return [...new Set(survivors.map(({ operator }) => operator))].sort();
}
