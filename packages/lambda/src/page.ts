/** One page of a list: the items after `marker`, which is the last item of the page before. */
export function pageOf(items: readonly string[], marker: string | undefined, size: number): { items: readonly string[]; nextMarker: string | undefined } {
  const start = marker === undefined ? 0 : items.indexOf(marker) + 1;
  const page = items.slice(start, start + size);
  return { items: page, nextMarker: start + size < items.length ? page.at(-1) : undefined };
}
