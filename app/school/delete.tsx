import { everySchoolFault, schoolInUseFault } from '#server/school/rules.ts';
import { deleteSchoolRecord, showSchoolRecord } from '#server/school/schools.contract.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Route } from './+types/delete';
import { schoolDelete } from './screens.ts';

const dialog = confirmDialog({ verb: '删除', kind: '学校', question: '删除后不能恢复，确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteSchoolRecord);
  const school = await context.get(api).send(showSchoolRecord, { params: { id: schoolDelete.at(url).id } });
  const everySchool = signedInPerson(context).every_school === 1;
  mustBeAllowed(context, forbiddenBy(everySchoolFault({ everySchool })));
  mustBeAllowed(context, schoolInUseFault(school.records), schoolDelete.behind(url));
  return { name: school.name, ...schoolDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, schoolDelete.behind(url), (client, idempotencyKey) =>
    client.ask(deleteSchoolRecord, { params: { id: schoolDelete.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
