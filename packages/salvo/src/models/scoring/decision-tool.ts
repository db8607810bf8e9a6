import type { ToolDefinition } from '../../adapters/adapter.ts';
import { DECISION_TOOL } from '../../adapters/decision.ts';
import { closedObject, listTool } from '../ask/tool-schema.ts';

const PROBABILITY = { type: 'number', minimum: 0, maximum: 1 };

/** The tool that a program calls with its decision. Models of providers answer in the form of their API. */
export function buildDecisionTool(): ToolDefinition {
  const level = closedObject({ label: { type: 'string' }, probability: PROBABILITY });
  return listTool({
    name: DECISION_TOOL,
    description: 'Hands in the answers: for every question how likely each of its levels is, or that it is true.',
    list: 'answers',
    items: closedObject(
      {
        type: { enum: ['score', 'predicate', 'refusal'] },
        name: { type: 'string', description: 'The name of the question.' },
        probabilities: { type: 'array', items: level },
        probability: PROBABILITY,
      },
      ['type', 'name'],
    ),
  });
}
