/** One part of a dotted address, and the text in the brackets after it: `data["a"]`, `aws_s3_bucket[data]`. */
export interface AddressSegment {
  text: string;
  index: string | null;
}

/** The parts of an address. Dots inside brackets do not separate: `data["a.b"]` is one part. */
export function addressSegments(address: string): AddressSegment[] {
  const segments: AddressSegment[] = [];
  let text = '';
  let index: string | null = null;
  let depth = 0;
  for (const character of address) {
    if (character === '[' && depth++ === 0) {
      index = '';
    } else if (character === ']' && depth > 0 && --depth === 0) {
      // The closing bracket is part of neither the text nor the index.
    } else if (depth > 0) {
      index += character;
    } else if (character === '.') {
      segments.push({ text, index });
      text = '';
      index = null;
    } else {
      text += character;
    }
  }
  segments.push({ text, index });
  return segments.filter((segment) => segment.text !== '');
}
