import { editHoliday, showHoliday } from '#server/settings/holidays.contract.ts';
import { holidayNameLimit, settingsMessages } from '#server/settings/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { ArrangementFields } from './arrangement-fields.tsx';
import { holidayEdit } from './screens.ts';

const dialog = formDialog({
  call: editHoliday,
  at: holidayEdit,
  params: (url) => ({ id: holidayEdit.at(url).day }),
  title: '编辑节假日',
  submit: '保存',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const { id, seen, day, name, is_workday, as_weekday } = await client.send(showHoliday, { params });
  const mayChange = signedInPerson(context).every_school === 1;
  return {
    values: { day, name, is_workday, as_weekday: as_weekday ?? '', seen },
    draft: `holiday ${id}`,
    refusal: forbiddenIfFault(mayChange ? undefined : settingsMessages.everySchool),
  };
});

export const action = dialogAction(dialog);

export default dialog.page(({ TextField }) => (
  <>
    <TextField name="name" label="名称" withAsterisk limit={holidayNameLimit} autoComplete="off" />
    <TextField name="day" label="日期" type="date" withAsterisk />
    <ArrangementFields />
  </>
));
