/** How the fields of a message are read. Fields that are not listed are skipped. */
export interface MessageType {
  [field: number]: { name: string; type: FieldType; repeated?: boolean };
}
type FieldType = 'string' | 'bytes' | 'hex' | 'bool' | 'int64' | 'enum' | 'double' | 'fixed64' | (() => MessageType);

/**
 * Input that is no such message.
 * @internal Exported for its tests.
 */
export class ProtobufError extends Error {}

/** Deeper messages are refused: values may hold values. */
const MAX_DEPTH = 64;

/** Decodes a message of Protocol Buffers to the object that its JSON form would have. */
export function decodeProtobuf(bytes: Uint8Array, type: MessageType, depth = 0): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new ProtobufError(`nested more than ${MAX_DEPTH} levels deep`);
  const reader = new Reader(bytes);
  const message: Record<string, unknown> = {};
  while (!reader.isDone) {
    const tag = Number(reader.varint());
    const wire = tag & 7;
    const field = type[Math.floor(tag / 8)];
    if (field === undefined) {
      reader.skip(wire);
      continue;
    }
    const value = readField(reader, field.type, wire, depth);
    if (!field.repeated) message[field.name] = value;
    else {
      const list = message[field.name];
      if (Array.isArray(list)) list.push(value);
      else message[field.name] = [value];
    }
  }
  return message;
}

const WIRE_TYPES = { string: 2, bytes: 2, hex: 2, bool: 0, int64: 0, enum: 0, double: 1, fixed64: 1 } as const;

function readField(reader: Reader, type: FieldType, wire: number, depth: number): unknown {
  const expected = typeof type === 'function' ? 2 : WIRE_TYPES[type];
  if (wire !== expected) throw new ProtobufError(`a field has the wire type ${wire} instead of ${expected}`);
  if (typeof type === 'function') return decodeProtobuf(reader.bytes(), type(), depth + 1);
  switch (type) {
    case 'string':
      return Buffer.from(reader.bytes()).toString('utf8');
    case 'hex':
      return Buffer.from(reader.bytes()).toString('hex');
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'bool':
      return reader.varint() !== 0n;
    case 'enum':
      return Number(BigInt.asIntN(32, reader.varint()));
    // As in JSON, because a number does not hold all of them.
    case 'int64':
      return String(BigInt.asIntN(64, reader.varint()));
    case 'fixed64':
      return String(reader.view(8).getBigUint64(0, true));
    case 'double':
      return reader.view(8).getFloat64(0, true);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new ProtobufError('it ends within a number');
      this.#at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('a number is longer than 10 bytes');
  }

  bytes(): Uint8Array {
    return this.#take(Number(this.varint()));
  }

  view(length: number): DataView {
    const { buffer, byteOffset } = this.#take(length);
    return new DataView(buffer, byteOffset, length);
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 1) this.#take(8);
    else if (wire === 2) this.bytes();
    else if (wire === 5) this.#take(4);
    else throw new ProtobufError(`the wire type ${wire} is unknown`);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError(`it ends ${end - this.#bytes.length} bytes too early`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
