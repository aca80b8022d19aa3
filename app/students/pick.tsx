/** Page to pick students, on several pages of the list, to add them to a class. */

import { redirect } from 'react-router';
import { maxMembersAtOnce, memberMessages } from '#server/classes/rules.ts';
import { addMembers, showJoiningPreview, showMembership } from '#server/enrolment/contract.ts';
import { listClassChoices, listStudents, type StudentRow, studentChoices } from '#server/students/contract.ts';
import { api } from '../api/client.server.ts';
import { classChoice, classMembers, membersJoin } from '../enrolment/screens.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { pickerPage } from '../lib/picker-pages.ts';
import { handlePickerForm, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { FilterField, PickerFilters } from '../ui/filter-form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { FormPager } from '../ui/pager.tsx';
import { PickerForm, refusedFields } from '../ui/picker-form.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/pick';
import { studentPick, studentPickList, studentScreen } from './screens.ts';
import { studentColumns, studentFilters } from './student-columns.tsx';
import styles from './students.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '选择学员' }],
};

export const meta: Route.MetaFunction = () => titleMeta('选择学员');

/** Rows per page. Most classes fit on one page. */
const pageOfStudents = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addMembers);
  const client = context.get(api);
  const view = studentPickList.at(url);
  const { class_id: id } = studentPick.at(url);
  const [students, choices, theClass] = await Promise.all([
    client.send(listStudents, {
      filter: { ...view.filter, page: pickerPage(view), limit: pageOfStudents },
    }),
    client.send(studentChoices),
    id === undefined ? undefined : client.send(showMembership, { params: { id } }),
  ]);
  return { students, choices, theClass, picked: pickedIds(url.searchParams) };
}

const pickFault = (picked: number): string | undefined => {
  if (picked === 0) return memberMessages.nobody;
  return picked > maxMembersAtOnce ? memberMessages.tooMany : undefined;
};

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(sent, pickFault, async (client, ids, form) => {
    const { class_id: id, back } = studentPick.at(url);
    // If the next step would be refused, the refusal is shown already here, beside the checkboxes.
    const outcome =
      id === undefined
        ? await client.ask(listClassChoices, { query: { limit: 1 } })
        : await client.ask(showJoiningPreview, { params: { id }, query: { ids } });
    if (!outcome.ok) return refusedForm(outcome, form);
    throw redirect(id === undefined ? classChoice.href({ ids, back }) : membersJoin.href({ id, ids, back }));
  });

/** Query parameters that the fields of the form replace. */
const pickerFields = { pick: undefined, picked: undefined, clear: undefined, jump: undefined, go: undefined };
const searched = {
  name: undefined,
  class_name: undefined,
  grade_id: undefined,
  school_id: undefined,
  state: undefined,
};

export default function StudentPick({ loaderData, actionData }: Route.ComponentProps) {
  const { students, choices, theClass } = loaderData;
  const view = useAddress(studentPickList);
  const again = refusedFields(actionData);
  const picked = again ? pickedIds(again) : loaderData.picked;
  const ticked = new Set(picked);
  const here = new Set(students.list.map(({ id }) => id));
  const elsewhere = picked.filter((id) => !here.has(id));
  const mayBe = students.list.filter(
    (row) => row.is_disabled === 0 && !row.classes.some(({ id }) => id === theClass?.id),
  );
  const { first, more = [] } = studentFilters(view.filter, choices);
  const back = view.place.back ?? (theClass ? classMembers.href({ id: theClass.id }) : studentScreen.href());
  return (
    <Screen card title={theClass ? `选择加入${theClass.name}的学员` : '选择加入班级的学员'}>
      <PickerForm
        label="选择学员"
        href={view.with({ ...pickerFields, ...searched, page: undefined, picked: elsewhere })}
        action={view.with({ ...pickerFields, page: students.page })}
        closeHref={back}
        refused={actionData}
        picked={picked}
        count={(count) => (
          <>
            已选 {count} 名学员
            {elsewhere.length > 0 && `（其中 ${elsewhere.length} 名在其他页）`}
          </>
        )}
      >
        <PickerFilters resetHref={view.reset}>
          {[...first, ...more].map((filter) => filter && <FilterField key={filter.label} {...filter} />)}
        </PickerFilters>
        {mayBe.length > 0 && (
          <p className={styles.onwards}>
            <a
              href={view.with({
                ...pickerFields,
                picked: [...elsewhere, ...mayBe.map(({ id }) => id)],
                page: students.page,
              })}
            >
              选中本页的{mayBe.length}名学员
            </a>
          </p>
        )}
        <ListTable<StudentRow>
          caption="可选学员"
          columns={[
            {
              key: 'choose',
              header: '选择',
              nowrap: true,
              phone: 'lead',
              cell: (row) =>
                row.classes.some(({ id }) => id === theClass?.id) ? (
                  '已在班级'
                ) : row.is_disabled === 1 ? (
                  '已停用'
                ) : (
                  <input
                    // The key changes with the ticked state, so that a new address resets the checkbox.
                    key={`${row.id}${ticked.has(row.id)}`}
                    type="checkbox"
                    name="pick"
                    value={row.id}
                    defaultChecked={ticked.has(row.id)}
                    aria-label={`选择${row.nickname}`}
                  />
                ),
            },
            ...studentColumns(choices.schools.length > 1).map(({ sortField: _, sortFirst: __, ...column }) => ({
              ...column,
              ...(column.key === 'name' && { phone: 'name' as const }),
            })),
          ]}
          rows={students.list}
          rowKey={({ id }) => id}
          empty="没有符合条件的学员"
        />
        <FormPager {...students} />
      </PickerForm>
    </Screen>
  );
}
