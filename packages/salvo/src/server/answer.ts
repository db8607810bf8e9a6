import type { Context, TypedResponse } from 'hono';

/** What a route answers with, as the typed client of the page sees it. */
type Answer<View, Status extends 200 | 201> = Response & TypedResponse<View, Status, 'json'>;

/**
 * A view as JSON. It has the type of the view itself, which is plain JSON. `context.json` would derive another type from
 * it, field by field, which declarations cannot name and a page cannot pass on.
 */
export function answer<View extends object | null>(context: Context, view: View): Answer<View, 200>;
export function answer<View extends object>(context: Context, view: View, status: 201): Answer<View, 201>;
export function answer<View extends object | null>(
  context: Context,
  view: View,
  status: 200 | 201 = 200,
): Answer<View, 200 | 201> {
  const response: Response = context.json(view, status);
  // What a response is about only exists for the compiler.
  return response as Answer<View, 200 | 201>;
}
