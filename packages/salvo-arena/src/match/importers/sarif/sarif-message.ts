import { resourceInText } from '../block-path.ts';
import { guardPlace, missingProperty, readGuardText, withoutValues } from '../cfn-guard/guard-message.ts';
import { asList, asRecord, asText, firstText, type Loose } from '../loose-value.ts';

interface SarifMessage {
  text: string | undefined;
  /** Fields that the scanner gives only in the text of the message. */
  severity?: string | undefined;
  resource?: string | undefined;
  attribute?: string | undefined;
  ids?: string[] | undefined;
  remediation?: string | undefined;
  /** Null when the region of the result is not to be trusted either. */
  line?: number | null | undefined;
}

/** The message of a result with its placeholders filled, and the fields that known scanners put into its text. */
export function sarifMessage(result: Loose, rule: Loose, component: Loose): SarifMessage {
  const text = filledText(asRecord(result.message), rule, component);
  if (text === undefined) return { text };
  return trivyMessage(text) ?? guardMessage(text) ?? { text, resource: resourceInText(text) };
}

/** The message's own text, or the one that the rule or its tool has under the message's id. */
function filledText(message: Loose, rule: Loose, component: Loose): string | undefined {
  const id = asText(message.id);
  const messageIn = (strings: unknown): Loose => {
    const all = asRecord(strings);
    return id !== undefined && Object.hasOwn(all, id) ? asRecord(all[id]) : {};
  };
  const own = firstText(message.text, message.markdown);
  const text = own ?? firstText(messageIn(rule.messageStrings).text, messageIn(component.globalMessageStrings).text);
  const values = asList(message.arguments);
  return text?.replace(/\{(\d{1,3})\}/g, (placeholder, index) => asText(values[Number(index)]) ?? placeholder);
}

/** Trivy writes fields, one a line: `Artifact: main.tf`, `Type: terraform`, `Severity: HIGH`, `Message: …`. */
function trivyMessage(text: string): SarifMessage | null {
  if (!text.startsWith('Artifact: ')) return null;
  const field = (name: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}: `));
    return asText(line?.slice(name.length + 2));
  };
  const message = field('Message') ?? field('Title') ?? text;
  return { text: message, severity: field('Severity'), resource: resourceInText(message) };
}

/**
 * cfn-guard names the resource only in a path inside the message, and writes the message of the rule after what it
 * quotes from the template. Its regions are wrong: line 1 for every comparison, and otherwise one line too high.
 */
function guardMessage(text: string): SarifMessage | null {
  if (!text.startsWith('Check was not compliant')) return null;
  const place = guardPlace(text);
  const said = text.slice(text.lastIndexOf(']. ') + 3).trim();
  const custom = text.includes(']. ') && !said.startsWith('Error = [') ? asText(said) : undefined;
  const { ids, title, fix } = custom === undefined ? { ids: [] } : readGuardText(custom);
  const missing = missingProperty(text)?.replace(/^Properties\./, '');
  return {
    text: title ?? withoutValues(text),
    ids,
    remediation: fix,
    resource: place?.resource,
    attribute: [place?.attribute, missing].filter((step) => step !== undefined && step !== '').join('.'),
    // Beside a resource, the line of the message is the right one. Without one, no line is.
    line: place?.line ?? null,
  };
}
