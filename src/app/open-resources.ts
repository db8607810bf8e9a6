/** What has to be closed again, in reverse order. AsyncDisposableStack, which Node 22 does not have yet. */
export interface OpenResources extends AsyncDisposable {
  adopt<T>(resource: T, close: (resource: T) => Promise<void>): T;
  defer(close: () => Promise<void>): void;
  /** Hands everything over to a new owner: disposing of this one does nothing any more. */
  move(): AsyncDisposable;
}

export function openResources(): OpenResources {
  let open: (() => Promise<void>)[] = [];
  return {
    adopt(resource, close) {
      open.push(() => close(resource));
      return resource;
    },
    defer(close) {
      open.push(close);
    },
    move() {
      const moved = open;
      open = [];
      return { [Symbol.asyncDispose]: () => closeAll(moved) };
    },
    [Symbol.asyncDispose]: () => closeAll(open),
  };
}

/** One that cannot be closed keeps none of the others open. */
async function closeAll(open: (() => Promise<void>)[]): Promise<void> {
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
