/** Loads the data of the sign-in page. Also used when a sign-in at a provider failed and that page shows the reason. */
import { type SignInMethods, signInMethodsPath } from '#server/identity/sign-in.contract.ts';
import { type Branding, brandingPath } from '#server/school/branding.contract.ts';
import { askPath } from '../api/client.server.ts';
import { demoAccounts, hasLearnPage } from '../api/process.server.ts';

export async function readSignInPage() {
  const [accounts, school, asked] = await Promise.all([
    demoAccounts(),
    askPath<Branding>(brandingPath),
    askPath<SignInMethods>(signInMethodsPath),
  ]);
  const ways: SignInMethods = asked.ok ? asked.data : { providers: [], passwords: 'all', site: '' };
  const known = accounts.ok ? accounts.data : [];
  return {
    face: school.ok ? school.data : undefined,
    ways,
    accounts: known,
    hasLearners: known.length > 0 && (await hasLearnPage()),
    away: accounts.ok ? undefined : { status: accounts.status, msg: accounts.msg },
  };
}
export type SignInPageData = Awaited<ReturnType<typeof readSignInPage>>;
