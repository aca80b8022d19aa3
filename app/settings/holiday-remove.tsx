import { listHolidays, removeHoliday } from '#server/settings/holidays.contract.ts';
import { missingHoliday } from '#server/settings/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { holidayRemove, holidays } from './screens.ts';

const dialog = confirmDialog({
  call: removeHoliday,
  at: holidayRemove,
  params: (url) => ({ id: holidayRemove.at(url).day }),
  verb: '删除',
  kind: '日期',
  question: '删除后，这一天按平常的课表安排，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const days = await client.send(listHolidays, { query: { year: holidays.at(url).year } });
  const found = days.find(({ id }) => id === holidayRemove.at(url).day);
  return {
    name: `${found?.day ?? ''} ${found?.name ?? ''}`,
    refusal: found ? undefined : { code: 404, msg: missingHoliday },
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
