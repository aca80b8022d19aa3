/** Forwards the browser's address to the API, which rate-limits sign-ins and learners' codes by it. */
export function clientAddress(request: Request): Record<string, string> {
  const names = ['x-client-address', 'user-agent', 'x-request-id'];
  return Object.fromEntries(
    names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name) ?? '']] : [])),
  );
}
