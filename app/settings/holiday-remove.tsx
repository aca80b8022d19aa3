import { listHolidays, removeHoliday } from '#server/school/holidays.contract.ts';
import { missingHoliday } from '#server/school/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/holiday-remove';
import { holidayRemove, holidays } from './screens.ts';

const dialog = confirmDialog({ verb: '删除', kind: '日期', question: '删除后，这一天按平常的课表安排，确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeHoliday);
  const days = await context.get(api).send(listHolidays, { query: { year: holidays.at(url).year } });
  const found = days.find(({ id }) => id === holidayRemove.at(url).day);
  mustBeAllowed(context, found ? undefined : { code: 404, msg: missingHoliday });
  return { name: `${found?.day ?? ''} ${found?.name ?? ''}`, ...holidayRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, holidayRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeHoliday, { params: { id: holidayRemove.at(url).day }, idempotencyKey }),
  );

export default dialog.Confirm;
