/** TeachCalendar (document 3, section 2): the signed-in person's teaching calendar. */
import { useOutlet } from 'react-router';
import { api } from '../api.server.ts';
import { searchOf } from '../lib/search.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Route } from './+types/teach-calendar';
import styles from './calendar.module.css';
import { loadCalendar } from './calendar.server.ts';
import { Calendar } from './calendar.tsx';

export const meta: Route.MetaFunction = () => [{ title: '教学日历 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const now = Math.floor(Date.now() / 1000);
  return loadCalendar({ client: context.get(api), url, timezone, now });
}

export default function TeachCalendar({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return (
    <>
      {/* With a dialog open, the calendar behind it is out of reach. */}
      <main inert={dialog !== null} className={styles.page}>
        <h1 className={styles.heading}>教学日历</h1>
        <Calendar
          data={loaderData}
          address={(search) => `/calendar${searchOf(search)}`}
          dialog={(name, search) => `/calendar/${name}${searchOf(search)}`}
        />
      </main>
      {dialog}
    </>
  );
}
