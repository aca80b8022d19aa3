import { createContext, data, type RouterContextProvider } from 'react-router';
import type { Me } from '#server/auth/contract.ts';

/** The signed-in person with what they may do; null while nobody is, or while the API cannot say. */
export const me = createContext<Me | null>(null);

/** The signed-in person, or the error page that says the API is away. */
export function signedInPerson(context: Readonly<RouterContextProvider>): Me {
  const person = context.get(me);
  if (!person) throw data({ msg: '服务暂时不可用，请稍后再试' }, { status: 503 });
  return person;
}
