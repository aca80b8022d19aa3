import { type SignInMethods, signInMethodsPath } from '#server/identity/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { originOf } from '../api/process.server.ts';
import { learnHome } from '../learn/screens.ts';

/** Address of the learners' pages to print: from the school's settings, else from the request. */
export async function learnAddress(request: Request): Promise<string> {
  const methods = await askPath<SignInMethods>(signInMethodsPath);
  return ((methods.ok && methods.data.site) || originOf(request)) + learnHome.href();
}
