import { type SignInMethods, signInMethodsPath } from '#server/identity/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { originOf } from '../api/process.server.ts';
import { learnHome } from '../learn/screens.ts';

/** Address of this site to print: from the school's settings, else from the request. */
export async function siteAddress(request: Request): Promise<string> {
  const methods = await askPath<SignInMethods>(signInMethodsPath);
  return (methods.ok && methods.data.site) || originOf(request);
}

/** Address of the learners' pages to print. */
export const learnAddress = async (request: Request): Promise<string> =>
  (await siteAddress(request)) + learnHome.href();
