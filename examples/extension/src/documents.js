import { z } from 'zod';

/** What `salvo hello --json` prints. */
const helloSchema = z.object({ version: z.literal(1), kind: z.literal('hello'), greeting: z.string() });

/** @type {import('salvo/kit/app').DocumentsDoor} */
export const documentsDoor = { printed: { hello: { version: 1, schema: async () => helloSchema } }, files: {} };
