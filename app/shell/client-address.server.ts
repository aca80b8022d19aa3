/** Passes the browser's address on to the API, which counts failed sign-ins, and codes of learners, by it. */
export function clientAddress(request: Request): Record<string, string> {
  const names = ['x-client-address', 'user-agent', 'x-request-id'];
  return Object.fromEntries(
    names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name) ?? '']] : [])),
  );
}
