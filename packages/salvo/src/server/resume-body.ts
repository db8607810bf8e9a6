import { z } from 'zod';
import { jsonBody } from './read-body.ts';

/** What a page asks for when it resumes a run, or work of another kind. */
export const resumeBody = jsonBody(z.strictObject({ budget_usd: z.number().positive().optional() }));
