import { readBlockPath, resourceInText } from '../block-path.ts';
import { asList, asRecord, asText, firstText, type Loose } from '../loose-value.ts';

interface SarifMessage {
  text: string | undefined;
  /** Fields that the scanner gives only in the text of the message. */
  severity?: string | undefined;
  resource?: string | undefined;
  attribute?: string | undefined;
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

/** cfn-guard names the resource only in a path inside the message, and quotes the template after it. */
function guardMessage(text: string): SarifMessage | null {
  const path = /\[Path=(\/Resources\/[^[\]\s]{1,500})\[L:/.exec(text)?.[1];
  if (path === undefined) return null;
  const missing = /^Check was not compliant as property \[([^\]]{1,200})\]/.exec(text)?.[1];
  const place = readBlockPath(missing === undefined ? path : `${path}/${missing.replaceAll('.', '/')}`);
  const end = text.lastIndexOf('}].');
  const custom = end < 0 ? undefined : asText(text.slice(end + 3));
  const plain = text.split(' Value traversed to ')[0];
  return { text: custom ?? plain, resource: place?.resource, attribute: place?.attribute };
}
