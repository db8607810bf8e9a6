import type { ToolDefinition } from 'salvo/kit/adapters';
import { listParameters, schemaReader, textField } from 'salvo/kit/models';
import { z } from 'zod';

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
  parameters: listParameters({
    resources: {
      address: textField('The address that the resource is going to have.'),
      file: textField('The file that it is going to be in.'),
      purpose: textField('What it is for, and which others it refers to.'),
    },
  }),
};

export const CHOICE_TOOL: ToolDefinition = {
  name: 'hand_in_flaws',
  description: 'Hands in the flaws that are going to be planted.',
  parameters: listParameters({
    flaws: {
      resource: textField('The address of the resource.'),
      weakness: textField('The id in the catalogue, or the flaw in a few words.'),
      setting: textField('The path of the setting that is wrong or missing.'),
      value: textField('The value of the setting.'),
      hiding: textField('How the flaw is hidden.'),
    },
  }),
};

export const readPlan = schemaReader(planSchema, 'It has no `resources`, each with an `address`.');

export const readChoice = schemaReader(choiceSchema, 'It has no `flaws`, each with a `resource`.');
