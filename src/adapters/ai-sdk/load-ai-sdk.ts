import { z } from 'zod';
import { AdapterError } from '../adapter-error.ts';

/** What we use of the package `ai`. Its own types differ between versions; these parts are the same since 5. */
export interface AiSdk {
  generateText(options: Record<string, unknown>): Promise<unknown>;
  jsonSchema(schema: Record<string, unknown>): unknown;
}

const isFunction = (value: unknown) => typeof value === 'function';

const aiSdkSchema = z.object({
  generateText: z.custom<AiSdk['generateText']>(isFunction),
  jsonSchema: z.custom<AiSdk['jsonSchema']>(isFunction),
});

/** The functions of the imported package `ai`. */
export function loadAiSdk(exports: Record<string, unknown>): AiSdk {
  const sdk = aiSdkSchema.safeParse(exports);
  if (!sdk.success) {
    throw new AdapterError(
      'missing_dependency',
      'The installed version of the package ai is too old. Run: npm install ai@latest',
    );
  }
  // Its warnings would be printed between our own lines.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return sdk.data;
}
