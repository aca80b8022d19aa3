import { extendExam, showAdminExam } from '#server/exams/admin.contract.ts';
import { localValue } from '../../lib/dates.ts';
import { textOf } from '../../lib/form-data.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { examExtend, examRecord } from '../screens.ts';

const dialog = formDialog({
  call: extendExam,
  at: examExtend,
  params: examRecord.at,
  title: '延长考试',
  submit: '确定延长',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const { name, reach, state, end_at, seen, refusals } = await client.send(showAdminExam, { params });
  const { timezone } = signedInPerson(context).settings;
  return {
    name,
    state,
    effect: reach,
    values: { end_at: localValue(end_at ?? 0, timezone), seen },
    refusal: refusals.extend,
  };
});

export const action = dialogAction(dialog, {
  body: (form, { context }) => ({
    end_at: readLocalTime(textOf(form, 'end_at'), signedInPerson(context).settings.timezone) ?? null,
  }),
});

export default dialog.page<typeof loader>(({ DateTimeField }, { name, effect, state }) => (
  <>
    <p>
      考试：<strong>{name}</strong>
    </p>
    <p>
      <strong>{effect}</strong>会看到新的结束时间{state === 'closed' && '，考试重新开放'}。
    </p>
    <DateTimeField name="end_at" label="新的结束时间" withAsterisk />
  </>
));
