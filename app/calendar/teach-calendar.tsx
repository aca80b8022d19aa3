import { api } from '../api/client.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/teach-calendar';
import { loadCalendar } from './calendar.server.ts';
import { Calendar } from './calendar.tsx';
import { teachDays } from './screens.ts';
import { viewNames } from './terms.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData?.isChosen ? `${viewNames[loaderData.view]}视图` : undefined, '教学日历');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  return loadCalendar({ client: context.get(api), filter: teachDays.at(url).filter, timezone });
}

export default function TeachCalendar({ loaderData }: Route.ComponentProps) {
  return (
    <Screen card>
      <h1>教学日历</h1>
      <Calendar data={loaderData} address={teachDays} isOwn />
    </Screen>
  );
}
