/** Returns the call that renders rich texts; administrators have one under their own prefix. */
import { displayAdminTexts } from '#server/questions/bank.contract.ts';
import { displayTexts } from '#server/questions/contract.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';

export const displayCall = (context: RequestContext) =>
  signedInPerson(context).identity === 'admin' ? displayAdminTexts : displayTexts;
