import { everySchoolFault, schoolPutAwayFault } from '#server/school/rules.ts';
import { putAwaySchoolRecord, showSchoolRecord } from '#server/school/schools.contract.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/put-away';
import { schoolPutAway } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('停用学校');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, putAwaySchoolRecord);
  const school = await context.get(api).send(showSchoolRecord, { params: { id: schoolPutAway.at(url).id } });
  const everySchool = signedInPerson(context).every_school === 1;
  mustBeAllowed(context, forbiddenBy(everySchoolFault({ everySchool })));
  mustBeAllowed(context, schoolPutAwayFault(school));
  return { school, ...schoolPutAway.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, schoolPutAway.behind(url), (client, idempotencyKey, form) =>
    client.ask(putAwaySchoolRecord, {
      params: { id: schoolPutAway.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof putAwaySchoolRecord>();

export default function PutAwaySchool({ loaderData, actionData }: Route.ComponentProps) {
  const { school, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="停用学校" closeHref={closeHref}>
      <p>
        学校：<strong>{school.name}</strong>
      </p>
      {school.records && (
        <p>
          该校还有<strong>{school.records}</strong>，都会保留，照常使用。
        </p>
      )}
      <p>停用后不能再把新的人员和教室归到该校，可以随时恢复。确定停用吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: school.records }}
        submit="确定停用"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
