/** Resources that are closed in reverse order. Node 22 has no AsyncDisposableStack, which this imitates. */
export interface OpenResources extends AsyncDisposable {
  use<T extends AsyncDisposable>(resource: T): T;
  adopt<T>(resource: T, close: (resource: T) => Promise<void>): T;
  defer(close: () => Promise<void>): void;
  /** Leaves everything open: disposing of this then does nothing. */
  release(): void;
  /** Passes everything to a result: disposing of the result closes it, and disposing of this then does nothing. */
  keepFor<T extends object>(result: T): T & AsyncDisposable;
}

export function openResources(): OpenResources {
  let open: (() => PromiseLike<void>)[] = [];
  return {
    use(resource) {
      open.push(() => resource[Symbol.asyncDispose]());
      return resource;
    },
    adopt(resource, close) {
      open.push(() => close(resource));
      return resource;
    },
    defer(close) {
      open.push(close);
    },
    release() {
      open = [];
    },
    keepFor(result) {
      const kept = open;
      open = [];
      return { ...result, [Symbol.asyncDispose]: () => closeAll(kept) };
    },
    [Symbol.asyncDispose]: () => closeAll(open),
  };
}

/** A resource that fails to close must not keep the others open: its error is thrown afterwards. */
async function closeAll(open: (() => PromiseLike<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of open.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
