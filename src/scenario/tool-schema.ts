import { z } from 'zod';

const mockSchema = z
  .strictObject({
    /** Which arguments this answer is for: a subset to be equal, or a JMESPath expression that must be true. */
    when: z.union([z.record(z.string(), z.unknown()), z.string().min(1)]).optional(),
    respond: z.unknown().optional(),
    /** Answered to the model as a tool error. */
    error: z.string().min(1).optional(),
    delay_ms: z.number().nonnegative().max(600_000).optional(),
    /** How often this answer can be used in one trial; afterwards the next that fits is. */
    times: z.int().positive().optional(),
  })
  .meta({ title: 'Mocked answer' });

export const toolSchema = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, _ or -, as the providers demand'),
    description: z.string().default(''),
    parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
    mock_response: z.unknown().optional(),
    mock_responses: z.array(mockSchema).min(1).optional(),
  })
  .meta({ title: 'Tool' });

export type Mock = z.infer<typeof mockSchema>;
export type Tool = z.infer<typeof toolSchema>;
