/** Returns headers with the browser's address for the API, which limits sign-ins and codes per address. */
export function clientAddress(request: Request): Record<string, string> {
  const names = ['x-client-address', 'user-agent', 'x-request-id'];
  return Object.fromEntries(
    names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name) ?? '']] : [])),
  );
}
