import { everySchoolFault, schoolRestoreFault } from '#server/school/rules.ts';
import { restoreSchoolRecord, showSchoolRecord } from '#server/school/schools.contract.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Route } from './+types/restore';
import { schoolRestore } from './screens.ts';

const dialog = confirmDialog({
  verb: '恢复',
  kind: '学校',
  question: '恢复后可以再把新的人员和教室归到该校，确定恢复吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, restoreSchoolRecord);
  const school = await context.get(api).send(showSchoolRecord, { params: { id: schoolRestore.at(url).id } });
  const everySchool = signedInPerson(context).every_school === 1;
  mustBeAllowed(context, forbiddenBy(everySchoolFault({ everySchool })));
  mustBeAllowed(context, schoolRestoreFault(school));
  return { name: school.name, ...schoolRestore.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, schoolRestore.behind(url), (client, idempotencyKey) =>
    client.ask(restoreSchoolRecord, { params: { id: schoolRestore.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
