import type { ModelTarget } from '../../adapters/observe/model-target.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';

/** The text of an answer without secrets; null if a secret is spread over several events of a stream. */
export async function redactedAnswer(text: string, { api }: ModelTarget, redactor: Redactor): Promise<string | null> {
  const whole = redactedJson(text, redactor);
  if (whole !== undefined) return whole;
  // Server-sent events, or other text.
  const redacted = text
    .split('\n')
    .map((line) => {
      const [, name = '', data = ''] = /^(data: ?)(.*)$/s.exec(line) ?? [];
      return name === '' ? redactor.text(line) : `${name}${redactedJson(data, redactor) ?? redactor.text(data)}`;
    })
    .join('\n');
  if (api === null) return redacted;
  const { streamedEvents, wholeAnswer } = await import('../../adapters/observe/whole-answer.ts');
  const { answer } = wholeAnswer(api, await streamedEvents(redacted));
  return JSON.stringify(redactor.value(answer)) === JSON.stringify(answer) ? redacted : null;
}

/** As it came, if it has no secret. Undefined if it is no JSON. */
function redactedJson(text: string, redactor: Redactor): string | undefined {
  const value = jsonOrUndefined(text);
  if (value === undefined) return undefined;
  const redacted = redactor.value(value);
  return redacted === value ? text : JSON.stringify(redacted);
}
