/** Returns a URL with the parameters that have a value. */
export function buildUrl(path: string, parameters: Record<string, string | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
  return `${path}?${search}`;
}
