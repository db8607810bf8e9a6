/** The same function for arguments of any type, as JavaScript code can call it. */
export function untyped<Result>(call: (...typed: never[]) => Result): (...values: unknown[]) => Result {
  return (...values) => Reflect.apply(call, undefined, values);
}
