/** HTTP requests to a provider: with timeout and size limit, without redirects. */
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import { ProviderError } from './provider.ts';

/** Milliseconds. */
export const requestTimeout = 8_000;
/** Maximum bytes of a response. */
const longest = 256 * 1024;

export type ProviderAnswer = Record<string, unknown>;

/** Fetches JSON from a provider. @throws ProviderError `away` if the provider is unreachable or sends no JSON. */
export async function fetchJson(
  address: string,
  request: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: ProviderAnswer } = {},
): Promise<{ status: number; answer: ProviderAnswer }> {
  const { status, text } = await fetchText(address, {
    method: request.method ?? 'GET',
    headers: {
      accept: 'application/json',
      ...(request.body && { 'content-type': 'application/json; charset=utf-8' }),
      ...request.headers,
    },
    ...(request.body && { body: JSON.stringify(request.body) }),
  });
  try {
    const answer: unknown = JSON.parse(text);
    if (answer && typeof answer === 'object' && !Array.isArray(answer))
      return { status, answer: answer as ProviderAnswer };
  } catch {}
  throw new ProviderError('away', `status ${status}, and no JSON`);
}

/** Fetches text from a provider. @throws ProviderError `away` if the provider is unreachable. */
export async function fetchText(address: string, request: RequestInit = {}): Promise<{ status: number; text: string }> {
  try {
    const response = await fetchOutgoing(address, { ...request, signal: AbortSignal.timeout(requestTimeout) });
    let text = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && text.length < longest) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader?.cancel().catch(() => {});
    return { status: response.status, text };
  } catch (error) {
    throw new ProviderError('away', `not reached: ${new URL(address).host}`, error);
  }
}

/** Returns a field as text, a number as its digits; '' if the field is missing. */
export function textField(answer: ProviderAnswer, name: string): string {
  const value = answer[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Returns a nested object; an empty one if it is missing. */
export function nestedObject(answer: ProviderAnswer, name: string): ProviderAnswer {
  const value = answer[name];
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as ProviderAnswer) : {};
}
