import { data } from 'react-router';
import type { AnyCall } from '#server/platform/calls/call.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { type Identity, pathForIdentity } from '#server/school/call.ts';

/** Converts the values of an address to text. Leaves out undefined and empty ones. */
export function searchTexts(values: Record<string, unknown>): Record<string, string> {
  const text: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') text[name] = String(value);
  return text;
}

/** Returns the path of a call for this identity. Throws the 403 error page if the identity does not have the call. */
export function addressOf(call: AnyCall, identity: Identity): string {
  const declared = pathForIdentity(call, identity);
  if (declared === undefined) throw data({ msg: callMessages.notOffered }, { status: 403 });
  return declared;
}

/** Picks the params that the path of the call names; an address may hold more. */
export function paramsOf(call: AnyCall, identity: Identity, params: Record<string, unknown>): Record<string, string> {
  const names = [...addressOf(call, identity).matchAll(/:(\w+)/g)].map(([, name = '']) => [name, params[name]]);
  return searchTexts(Object.fromEntries(names));
}

export function pathOf(
  call: AnyCall,
  identity: Identity,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = addressOf(call, identity)
    .replace(/:(\w+)\??/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
    .replace(/\/+$/, '');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(searchTexts(query))) search.set(name, value);
  return `${path}${search.size > 0 ? `?${search}` : ''}`;
}
