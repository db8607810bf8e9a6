import { z } from 'zod';

const mockSchema = z
  .strictObject({
    when: z
      .union([z.record(z.string(), z.unknown()), z.string().min(1)])
      .optional()
      .describe(
        'The arguments this is the answer for: a subset to be equal, or a JMESPath expression that must be true.',
      ),
    respond: z.unknown().optional().describe('The answer: a text or any JSON value.'),
    error: z.string().min(1).optional().describe('Answered to the model as a tool error.'),
    delay_ms: z.number().nonnegative().max(600_000).optional().describe('How long the answer takes.'),
    times: z
      .int()
      .positive()
      .optional()
      .describe('How often this answer can be used in one trial; afterwards the next that fits is.'),
  })
  .meta({ title: 'Mocked answer' });

export const toolSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tool name has 1 to 64 letters, digits, _ or -, as the providers demand')
      .describe('As the model sees it.'),
    description: z.string().default('').describe('As the model sees it.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({ type: 'object', properties: {} })
      .describe('A JSON Schema of the arguments.'),
    mock_response: z.unknown().optional().describe('The answer to every call: a text or any JSON value.'),
    mock_responses: z
      .array(mockSchema)
      .min(1)
      .optional()
      .describe('Answers, tried in order: the first that fits the arguments and is not used up.'),
  })
  .meta({ title: 'Tool' });

export type Mock = z.infer<typeof mockSchema>;
export type Tool = z.infer<typeof toolSchema>;
