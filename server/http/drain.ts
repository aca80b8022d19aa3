/** Bytes of a refused body that are still read, so that the refusal can be read by a client that is still sending. */
const mostDrained = 64 * 1024 * 1024;

/** Reads a body to nowhere. A client that is refused before it has sent everything would see a broken connection. */
export async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body) return;
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > mostDrained) break;
    }
  } catch {
    // The client is gone: nobody is left to tell.
  }
}
