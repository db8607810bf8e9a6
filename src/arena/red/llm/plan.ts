import { z } from 'zod';
import type { ToolDefinition } from '../../../adapters/adapter.ts';
import { schemaReader } from '../../../models/read-tool-answer.ts';

const plannedSchema = z.object({
  address: z.string().min(1),
  file: z.string().default(''),
  purpose: z.string().default(''),
});
const planSchema = z.object({ resources: z.array(plannedSchema).min(1).max(200) });

const chosenSchema = z.object({
  resource: z.string().min(1),
  weakness: z.string().default(''),
  setting: z.string().default(''),
  value: z.string().default(''),
  hiding: z.string().default(''),
});
const choiceSchema = z.object({ flaws: z.array(chosenSchema).min(1).max(100) });

export const PLAN_TOOL: ToolDefinition = {
  name: 'hand_in_plan',
  description: 'Hands in the resources that the infrastructure is going to have.',
  parameters: listOf('resources', {
    address: 'The address that the resource is going to have.',
    file: 'The file that it is going to be in.',
    purpose: 'What it is for, and which others it refers to.',
  }),
};

export const CHOICE_TOOL: ToolDefinition = {
  name: 'hand_in_flaws',
  description: 'Hands in the flaws that are going to be planted.',
  parameters: listOf('flaws', {
    resource: 'The address of the resource.',
    weakness: 'The id in the catalogue, or the flaw in a few words.',
    setting: 'The path of the setting that is wrong or missing.',
    value: 'The value of the setting.',
    hiding: 'How the flaw is hidden.',
  }),
};

export const readPlan = schemaReader(planSchema, 'It has no `resources`, each with an `address`.');

export const readChoice = schemaReader(choiceSchema, 'It has no `flaws`, each with a `resource`.');

function listOf(name: string, fields: Record<string, string>): ToolDefinition['parameters'] {
  const properties = Object.entries(fields).map(([field, description]) => [field, { type: 'string', description }]);
  const items = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: { [name]: { type: 'array', items } },
    required: [name],
    additionalProperties: false,
  };
}
