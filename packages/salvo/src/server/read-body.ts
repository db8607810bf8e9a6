import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { SalvoError } from '../text/errors/salvo-error.ts';

const LONGEST_BODY = 1_000_000;

/** The body of a route, which the typed client of the page must give. `req.valid('json')` has what was read. */
export function jsonBody<Schema extends z.ZodType<object>>(
  schema: Schema,
): MiddlewareHandler<object, string, { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }> {
  return async (context, next) => {
    context.req.addValidatedData('json', await readBody(context, schema));
    await next();
  };
}

/** The JSON in the body of a request, checked. Nothing is the same as an empty object. */
async function readBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await limitedText(context);
  const read = schema.safeParse(text === '' ? {} : parsed(text));
  if (read.success) return read.data;
  throw wrongBody(z.prettifyError(read.error));
}

/** Counted while it arrives: what comes in chunks does not say how long it will be. */
async function limitedText(context: Context): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  // Leaving the loop cancels the rest.
  for await (const chunk of context.req.raw.body ?? []) {
    bytes += chunk.length;
    if (bytes > LONGEST_BODY) throw wrongBody(`It is longer than ${LONGEST_BODY} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * For every request: what is left of a body after the answer, because nobody has read it, is thrown away by the server. A
 * connection on which more of it arrives than anybody would have read is closed.
 */
export function limitUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (incoming.complete) return;
    const { socket } = incoming;
    const before = socket.bytesRead;
    const count = (): void => {
      if (incoming.complete) socket.off('data', count);
      // Not `destroy`: the answer must arrive.
      else if (socket.bytesRead - before > LONGEST_BODY) socket.destroySoon();
    };
    socket.on('data', count);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongBody('It is no JSON.');
  }
}

function wrongBody(why: string): SalvoError {
  return new SalvoError('REQUEST_INVALID', `The request cannot be read. ${why}`);
}
