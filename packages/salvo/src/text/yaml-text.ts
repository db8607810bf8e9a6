import { type Document, isScalar, visit } from 'yaml';

/** What only double quotes can hold: control characters, odd line ends and halves of characters. */
const UNUSUAL = /[^\n\t\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** The text of a YAML file that people can read. Whatever its texts contain, they are read as they were. */
export function yamlText(document: Document): string {
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && UNUSUAL.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  // JSON's rules leave these as they are, and the reader refuses them.
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
