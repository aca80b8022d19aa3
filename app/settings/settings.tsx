/** Settings that apply to all schools, in tabs. */

import { redirect } from 'react-router';
import { showSettings } from '#server/settings/contract.ts';
import { settingsMessages } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { learnAddress } from '../shell/printed-address.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/settings';
import { LearnerSignInInfo } from './learn-page-door.tsx';
import { learnerProviders } from './learner-providers.server.ts';
import { LiveForm } from './live-form.tsx';
import { MessagesForm } from './messages-form.tsx';
import { RetentionForm } from './retention-form.tsx';
import { LogoForm, SchoolForm } from './school-form.tsx';
import { settings, tokensScreen } from './screens.ts';
import styles from './settings.posts.module.css';
import { handleSettingsForm } from './settings-action.server.ts';
import { SettingsTabs, settingsTabOf } from './settings-tabs.tsx';
import { SignInForm } from './sign-in-form.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(settingsTabOf(loaderData?.tab), '设置');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  requirePermission(context, showSettings);
  const { every_school } = signedInPerson(context);
  // Administrators of some schools may not see these tabs, so they start at the tokens.
  if (every_school === 0 && url.search === '') throw redirect(tokensScreen.href());
  requireAllowed(context, forbiddenIfFault(every_school === 1 ? undefined : settingsMessages.everySchool));
  const client = context.get(api);
  const { tab } = settings.at(url);
  const set = await client.send(showSettings);
  const learnPage = await learnAddress(request);
  const showsDoor = tab === 'school' && set.school.has_learn_page === 1;
  return {
    tab,
    set,
    learnPage,
    providers: showsDoor ? await learnerProviders(client) : [],
    idempotencyKey: crypto.randomUUID(),
  };
}

export const action = (sent: Route.ActionArgs) => handleSettingsForm(settings.at(sent.url).tab, sent);

export default function AdminSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, set, learnPage, providers, idempotencyKey } = loaderData;
  const form = { idempotencyKey, sent: actionData };
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current={tab} />
      <div className={styles.body}>
        {tab === 'school' && (
          <>
            <SchoolForm {...form} set={set.school} />
            {set.school.has_learn_page === 1 && (
              <LearnerSignInInfo
                address={learnPage}
                sendsTexts={set.messages.sends_texts === 1}
                providers={providers}
              />
            )}
            <LogoForm {...form} logo={set.school.school_logo} />
          </>
        )}
        {tab === 'sign-in' && <SignInForm {...form} set={set.sign_in} />}
        {tab === 'keeping' && <RetentionForm {...form} set={set.keeping} />}
        {tab === 'messages' && <MessagesForm {...form} set={set.messages} />}
        {tab === 'live' && <LiveForm {...form} set={set.live} />}
      </div>
    </Screen>
  );
}
