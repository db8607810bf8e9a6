/**
 * A copy through JSON, so that later changes of the original do not matter. An error keeps its name and message, which
 * JSON would drop; binary data becomes its size. Throws what JSON.stringify throws for a circular value.
 */
export function jsonCopy(value: unknown): unknown {
  return JSON.parse(jsonText(value));
}

/** A value as JSON, by the rules of `jsonCopy`. */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(
    value,
    function (this: Record<string, unknown>, key, written: unknown): unknown {
      const original = this[key];
      if (original instanceof Error && original === written)
        return { ...original, name: original.name, message: original.message };
      return ArrayBuffer.isView(original) ? `[${original.byteLength} bytes]` : written;
    },
  );
  return text ?? 'null';
}
