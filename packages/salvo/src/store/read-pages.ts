/** Reads page after page, as they are consumed. `pageAfter` gets the last of the page before. */
export async function* readPages<T>(
  pageAfter: (last: T | undefined) => T[] | Promise<T[]>,
  size: number,
): AsyncGenerator<T> {
  let page: T[] = [];
  do {
    page = await pageAfter(page.at(-1));
    yield* page;
  } while (page.length === size);
}
