/** Creates first passwords for staff without one, as a sheet to print and cut. */
import { firstPasswordsLimit } from '#server/account/rules.ts';
import { firstPasswords, type GivenPassword, listStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { readButton, readPostedForm, refusedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { siteAddress } from '../../shell/printed-address.server.ts';
import { PrintedAddressNote } from '../../shell/printed-address-note.tsx';
import { titleMeta } from '../../shell/title.ts';
import { Empty } from '../../ui/empty.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { chooseClass, PasswordSlips } from '../../ui/password-slips.tsx';
import { useRootData } from '../../ui/root-data.ts';
import { Screen } from '../../ui/screen.tsx';
import { signIn, staffPasswords, staffScreen } from '../screens.ts';
import { identityNames } from '../terms.ts';
import type { Route } from './+types/passwords';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '打印初始密码' }],
};

export const meta: Route.MetaFunction = () => titleMeta('打印初始密码');

export async function loader({ request, context }: Route.LoaderArgs) {
  requirePermission(context, firstPasswords);
  const query = { state: 'new', limit: firstPasswordsLimit } as const;
  const [waiting, site] = await Promise.all([context.get(api).send(listStaff, { query }), siteAddress(request)]);
  return { waiting, address: site + signIn.href() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(firstPasswords, { body: { ids: pickedIds(form) } });
  return outcome.ok ? { given: outcome.data } : refusedForm(outcome, form);
}

const { ChecksField, Form } = formOf<typeof firstPasswords, 'pick'>();

export default function StaffPasswords({ loaderData, actionData }: Route.ComponentProps) {
  const { waiting, address } = loaderData;
  if (actionData && 'given' in actionData) return <Sheet given={actionData.given} address={address} />;
  const { list, total } = waiting;
  return (
    <Screen title="打印初始密码">
      <PrintedAddressNote address={address} readers="staff" />
      {list.length === 0 ? (
        <Empty>所有人员都已有自己的密码</Empty>
      ) : (
        <Form
          refused={actionData}
          values={{ pick: list.filter(({ was_given }) => was_given === 0).map(({ id }) => id) }}
          className={chooseClass}
        >
          <ChecksField
            name="pick"
            label={`还没有自己密码的人员（${total}人${total > list.length ? `，每次${list.length}人` : ''}）`}
            description="密码只显示一次；再次生成则前一次的作废。首次登录时须改为自己的密码。"
            choices={list.map(({ id, real_name, username, identity, school_name, was_given }) => [
              id,
              `${real_name}（${username}，${identityNames[identity]}，${school_name}）${was_given ? '，已生成过' : ''}`,
            ])}
          />
          <Submit>生成并显示</Submit>
        </Form>
      )}
    </Screen>
  );
}

function Sheet({ given, address }: { given: GivenPassword[]; address: string }) {
  const school = useRootData()?.me?.settings.school_name || '教学后台';
  return (
    <Screen title="初始密码">
      <p className="no-print">
        这些密码只显示这一次，请现在用浏览器的“打印”（Ctrl+P）打印后分发。<a href={staffPasswords.href()}>返回</a>
      </p>
      <PrintedAddressNote address={address} readers="staff" />
      <PasswordSlips
        slips={given.map(({ id, real_name, username, password }) => ({
          id,
          name: real_name,
          facts: [
            ['登录地址', address],
            ['用户名', username],
          ],
          password,
        }))}
        note={`${school}：首次登录时请改为自己的密码。`}
      />
    </Screen>
  );
}
