/** Lets the server sanitize and render texts, by the route at `address`. Undefined if the request fails. */
export async function renderTexts(address: string, texts: string[]): Promise<string[] | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts }),
    });
    return response.ok ? ((await response.json()) as string[]) : undefined;
  } catch {
    return undefined;
  }
}
