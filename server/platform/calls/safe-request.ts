import { type AnyCall, methodsOf } from './call.ts';
import { type SerializedAnswer, serializeEnvelope } from './envelope.ts';
import { callMessages, isHeadOrPrefetch, type MethodAndHeaders } from './rules.ts';

/** True if a GET of this call changes state. */
export const changesByGet = ({ method, changes, marksRead }: AnyCall): boolean =>
  method === 'GET' && (changes || marksRead === true);

/** 405 for HEAD or a prefetch if the call changes state by GET. A POST always passes, whatever its headers say. */
export function methodRefusal(call: AnyCall, sent: MethodAndHeaders): SerializedAnswer | undefined {
  if (sent.method === 'POST' || !changesByGet(call) || !isHeadOrPrefetch(sent)) return undefined;
  const envelope = { code: 405, msg: callMessages.notAllowed, data: null };
  return serializeEnvelope(envelope, { allow: methodsOf(call).join(', ') });
}
