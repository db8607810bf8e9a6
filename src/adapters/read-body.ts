/**
 * The body of an answer: parsed when it is JSON, whatever its content type says; otherwise the text, to be quoted.
 * Read by us and not by the SDKs, which tell a broken body from a good one each in its own way, and take longer.
 */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
